-- What was deleted on an issue is gone with it, and goes along with it to another repository; the labels and milestones of the repository
-- that it leaves do not come back to it.
CREATE TRIGGER issue_deletions_removed AFTER DELETE ON issue BEGIN
  DELETE FROM deletion WHERE issue_id = OLD.id;
  DELETE FROM deleted_row WHERE issue_id = OLD.id;
END;
CREATE TRIGGER issue_deletions_moved AFTER UPDATE OF repo_id ON issue WHEN OLD.repo_id <> NEW.repo_id BEGIN
  UPDATE deletion SET repo_id = NEW.repo_id WHERE issue_id = NEW.id;
  DELETE FROM deleted_row WHERE issue_id = NEW.id AND deletion_id IN (SELECT id FROM deletion WHERE table_name IN ('label', 'milestone'));
  DELETE FROM deleted_row WHERE table_name = 'issue' AND row_id = NEW.id AND emptied IS NOT NULL;
  UPDATE deleted_row SET content = json_set(content, '$.repo_id', NEW.repo_id) WHERE issue_id = NEW.id AND json_type(content, '$.repo_id') = 'integer';
END;
-- The same for the labels of an organization and a repository that leaves it.
CREATE TRIGGER label_deletions_left AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM deleted_row
  WHERE deletion_id IN (SELECT id FROM deletion WHERE org_id = OLD.owner_id AND table_name = 'label') AND content ->> '$.repo_id' = NEW.id;
END;
-- How many comments were deleted here that can be restored, so that most pages need not look for them. Derived, kept by triggers.
ALTER TABLE issue ADD COLUMN deleted_comment_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER deletion_added AFTER INSERT ON deletion WHEN NEW.issue_id IS NOT NULL BEGIN
  UPDATE issue SET deleted_comment_count = deleted_comment_count + 1 WHERE id = NEW.issue_id;
END;
CREATE TRIGGER deletion_removed AFTER DELETE ON deletion WHEN OLD.issue_id IS NOT NULL BEGIN
  UPDATE issue SET deleted_comment_count = deleted_comment_count - 1 WHERE id = OLD.issue_id;
END;
