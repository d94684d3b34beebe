-- Lets SQLite 3.37 and newer open the database: unixepoch() and the operator ->> need 3.38.
DROP TRIGGER deleted_row_file_removed;
CREATE TRIGGER deleted_row_file_removed AFTER DELETE ON deleted_row_file BEGIN
  UPDATE blob
  SET use_count = use_count - 1, unused_since = iif(use_count = 1, CAST(strftime('%s', 'now') AS INTEGER), NULL)
  WHERE digest = OLD.digest;
END;

DROP INDEX deleted_row_issue;
DROP INDEX deleted_row_emptied;
-- A trigger of another table uses both columns. In legacy mode, SQLite lets each be missing for one statement.
PRAGMA legacy_alter_table = ON;
ALTER TABLE deleted_row DROP COLUMN issue_id;
ALTER TABLE deleted_row ADD COLUMN issue_id INTEGER GENERATED ALWAYS AS (json_extract(content, '$.issue_id')) VIRTUAL;
ALTER TABLE deleted_row DROP COLUMN row_id;
ALTER TABLE deleted_row ADD COLUMN row_id INTEGER GENERATED ALWAYS AS (json_extract(content, '$.id')) VIRTUAL;
PRAGMA legacy_alter_table = OFF;
CREATE INDEX deleted_row_issue ON deleted_row (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX deleted_row_emptied ON deleted_row (table_name, row_id) WHERE emptied IS NOT NULL;
