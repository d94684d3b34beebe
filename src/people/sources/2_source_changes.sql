-- Counts the changes of a source: passwords that it was asked about before are asked about anew.
ALTER TABLE login_source ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER login_source_changes AFTER UPDATE ON login_source WHEN NEW.revision = OLD.revision BEGIN
  UPDATE login_source SET revision = revision + 1 WHERE id = NEW.id;
END;

-- Keys that came from a source which is gone are their holders' own.
CREATE TRIGGER source_keys_stay AFTER DELETE ON login_source BEGIN
  UPDATE public_key SET source_id = 0 WHERE source_id = OLD.id;
END;
