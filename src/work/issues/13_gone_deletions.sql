-- What was deleted on an issue that is gone follows it some at a time.
DROP TRIGGER issue_deletions_removed;
CREATE TRIGGER issue_deletions_removed AFTER DELETE ON issue WHEN OLD.deleted_comment_count > 0 BEGIN
  INSERT INTO issue_gone_with_deletions (id) VALUES (OLD.id);
END;
