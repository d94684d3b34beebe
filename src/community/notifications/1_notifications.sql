-- What people are to be told: one thread for each issue and person. Derived from `event`, by a reader that keeps its place.
CREATE TABLE notification (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  status TEXT NOT NULL DEFAULT 'unread' CHECK (status IN ('unread', 'read', 'pinned')),
  -- The comment that it was about last.
  comment_id INTEGER REFERENCES comment (id) ON DELETE SET NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (user_id, issue_id)
) STRICT;
CREATE INDEX notification_user ON notification (user_id, status, updated_at, id);
CREATE INDEX notification_issue ON notification (issue_id);
CREATE INDEX notification_comment ON notification (comment_id) WHERE comment_id IS NOT NULL;

-- The last event that was looked at. One row.
CREATE TABLE notification_place (
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO notification_place (event_id) SELECT coalesce(max(id), 0) FROM event;
