-- Why the last attempt failed; empty before there was one.
ALTER TABLE mail ADD COLUMN failure TEXT NOT NULL DEFAULT '';
