-- Whether the owners of what it changes were asked for reviews, since it was ready for that: those of before are not asked any more.
ALTER TABLE pull ADD COLUMN owners_asked INTEGER NOT NULL DEFAULT 0;
UPDATE pull SET owners_asked = 1;
CREATE TRIGGER review_ready AFTER UPDATE OF title ON issue
WHEN NEW.is_pull AND (OLD.title LIKE 'WIP:%' OR OLD.title LIKE '[WIP]%') AND NOT (NEW.title LIKE 'WIP:%' OR NEW.title LIKE '[WIP]%') BEGIN
  UPDATE pull SET owners_asked = 0 WHERE issue_id = NEW.id;
END;
