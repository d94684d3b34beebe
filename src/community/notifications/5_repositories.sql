-- A notification can be about an offered repository instead of an issue. `issue_id` and `is_pull` are then NULL.
DROP TRIGGER notification_follows;
CREATE TABLE notification_next (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  issue_id INTEGER REFERENCES issue (id) ON DELETE CASCADE,
  status TEXT NOT NULL DEFAULT 'unread' CHECK (status IN ('unread', 'read', 'pinned')),
  -- The last comment that the notification was about.
  comment_id INTEGER REFERENCES comment (id) ON DELETE SET NULL,
  updated_at INTEGER NOT NULL,
  reason TEXT NOT NULL DEFAULT '',
  -- Derived from the issue if there is one. Triggers keep both columns.
  repo_id INTEGER NOT NULL DEFAULT 0,
  is_pull INTEGER DEFAULT 0,
  CHECK (issue_id IS NOT NULL OR is_pull IS NULL),
  UNIQUE (user_id, issue_id)
) STRICT;
INSERT INTO notification_next (id, user_id, issue_id, status, comment_id, updated_at, reason, repo_id, is_pull)
  SELECT id, user_id, issue_id, status, comment_id, updated_at, reason, repo_id, is_pull FROM notification;
DROP TABLE notification;
ALTER TABLE notification_next RENAME TO notification;
CREATE INDEX notification_user ON notification (user_id, status, updated_at, id);
CREATE INDEX notification_issue ON notification (issue_id);
CREATE INDEX notification_comment ON notification (comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX notification_counted ON notification (user_id, status, repo_id, is_pull, updated_at);
CREATE UNIQUE INDEX notification_repo ON notification (repo_id, user_id) WHERE issue_id IS NULL;
CREATE TRIGGER notification_placed AFTER INSERT ON notification WHEN NEW.issue_id IS NOT NULL BEGIN
  UPDATE notification SET (repo_id, is_pull) = (SELECT repo_id, is_pull FROM issue WHERE issue.id = NEW.issue_id) WHERE id = NEW.id;
END;
CREATE TRIGGER notification_follows AFTER UPDATE OF repo_id, is_pull ON issue WHEN OLD.repo_id <> NEW.repo_id OR OLD.is_pull <> NEW.is_pull BEGIN
  UPDATE notification SET repo_id = NEW.repo_id, is_pull = NEW.is_pull WHERE issue_id = NEW.id;
END;
CREATE TRIGGER notification_repository_deleted AFTER DELETE ON repository BEGIN
  DELETE FROM notification WHERE repo_id = OLD.id AND issue_id IS NULL;
END;
