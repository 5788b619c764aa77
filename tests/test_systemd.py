"""The unit: understood by systemd, hardened, and stopped cleanly."""

import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).resolve().parent.parent / "systemd" / "judge.service"
ANALYZE = shutil.which("systemd-analyze")
# `systemd-analyze security` counts from 0 (best) to 10; ours is 1.2. In tenths.
EXPOSURE_MOST = 20

needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd is not installed")


def values(key: str) -> list[str]:
    lines = UNIT.read_text(encoding="utf-8").splitlines()
    return [line.partition("=")[2] for line in lines if line.startswith(f"{key}=")]


@pytest.fixture
def runnable(tmp_path: Path) -> Path:
    """The unit with a program that is there, for systemd looks for it."""
    text = UNIT.read_text(encoding="utf-8")
    path = tmp_path / "judge.service"
    path.write_text(text.replace("/opt/judge/bin/judge", shutil.which("true") or ""))
    return path


def test_the_service_comes_back_unless_its_settings_are_faulty() -> None:
    assert values("Restart") == ["on-failure"]
    assert values("RestartPreventExitStatus") == ["2 65"]
    assert values("KillSignal") == ["SIGTERM"]
    assert values("StartLimitIntervalSec") == ["0"]


def test_passwords_come_as_credentials() -> None:
    names = {value.partition(":")[0] for value in values("LoadCredential")}
    assert names == {"imap_password", "smtp_password"}


@needs_systemd
def test_systemd_understands_every_line(runnable: Path) -> None:
    done = _analyze("verify", "--man=no", str(runnable))
    # It ends with 0 over keys that it does not know, and only prints them.
    ours = [line for line in done.stderr.splitlines() if "judge.service" in line]
    assert (done.returncode, ours) == (0, [])


@needs_systemd
def test_the_service_is_hardened(runnable: Path) -> None:
    done = _analyze("security", "--offline=yes", f"--threshold={EXPOSURE_MOST}", str(runnable))
    assert done.returncode == 0, done.stdout[-500:] + done.stderr


def _analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ANALYZE), *arguments], capture_output=True, text=True, check=False, timeout=60
    )
