-- What a master has chosen about the variant.

ALTER TABLE games ADD COLUMN variant_options TEXT NOT NULL DEFAULT '[]';  -- JSON: [[option, value], ...]
