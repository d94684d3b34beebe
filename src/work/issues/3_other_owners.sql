-- Labels of an organization are for what it owns: issues of a repository that leaves it lose them, and the timeline no longer tells of them.
CREATE TRIGGER issue_label_owner AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM issue_label WHERE repo_id = NEW.id AND label_id IN (SELECT id FROM label WHERE org_id = OLD.owner_id);
  DELETE FROM comment WHERE repo_id = NEW.id AND label_id IN (SELECT id FROM label WHERE org_id = OLD.owner_id);
END;
