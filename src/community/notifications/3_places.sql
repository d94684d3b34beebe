-- Where the issue is stands beside each notification, so that they are counted, and those that may be read are found, without looking at every
-- issue. Derived: triggers keep it.
ALTER TABLE notification ADD COLUMN repo_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE notification ADD COLUMN is_pull INTEGER NOT NULL DEFAULT 0;
UPDATE notification SET (repo_id, is_pull) = (SELECT repo_id, is_pull FROM issue WHERE issue.id = issue_id);
CREATE INDEX notification_counted ON notification (user_id, status, repo_id, is_pull, updated_at);
CREATE TRIGGER notification_placed AFTER INSERT ON notification BEGIN
  UPDATE notification SET (repo_id, is_pull) = (SELECT repo_id, is_pull FROM issue WHERE issue.id = NEW.issue_id) WHERE id = NEW.id;
END;
CREATE TRIGGER notification_follows AFTER UPDATE OF repo_id, is_pull ON issue WHEN OLD.repo_id <> NEW.repo_id OR OLD.is_pull <> NEW.is_pull BEGIN
  UPDATE notification SET repo_id = NEW.repo_id, is_pull = NEW.is_pull WHERE issue_id = NEW.id;
END;
