-- Derived: the triggers keep it, whichever way a fork comes or goes.
ALTER TABLE repository ADD COLUMN fork_count INTEGER NOT NULL DEFAULT 0;
UPDATE repository SET fork_count = (SELECT count(*) FROM repository AS f WHERE f.fork_of = repository.id);
CREATE TRIGGER fork_added AFTER INSERT ON repository WHEN NEW.fork_of IS NOT NULL BEGIN
  UPDATE repository SET fork_count = fork_count + 1 WHERE id = NEW.fork_of;
END;
CREATE TRIGGER fork_removed AFTER DELETE ON repository WHEN OLD.fork_of IS NOT NULL BEGIN
  UPDATE repository SET fork_count = fork_count - 1 WHERE id = OLD.fork_of;
END;
CREATE TRIGGER fork_moved AFTER UPDATE OF fork_of ON repository WHEN OLD.fork_of IS NOT NEW.fork_of BEGIN
  UPDATE repository SET fork_count = fork_count - 1 WHERE id = OLD.fork_of;
  UPDATE repository SET fork_count = fork_count + 1 WHERE id = NEW.fork_of;
END;
