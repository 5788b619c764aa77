-- Single rules that a master has chosen on top of the preset.

ALTER TABLE games ADD COLUMN rule_choices TEXT NOT NULL DEFAULT '[]';  -- JSON: [[option, value], ...]
