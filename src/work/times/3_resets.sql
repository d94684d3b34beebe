-- Somebody took back all that they had worked on an issue: it counts for nothing from that moment on, and is cleared away some rows at a time.
CREATE TABLE time_reset (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- What they track later has a higher id.
  last_time_id INTEGER NOT NULL
) STRICT;
CREATE INDEX time_reset_issue ON time_reset (issue_id, user_id);
CREATE INDEX time_reset_user ON time_reset (user_id);

CREATE VIEW standing_time AS SELECT id, issue_id, user_id, seconds, created_at FROM tracked_time AS t
  WHERE NOT EXISTS (SELECT 1 FROM time_reset)
    OR NOT EXISTS (SELECT 1 FROM time_reset AS r WHERE r.issue_id = t.issue_id AND r.user_id = t.user_id AND t.id <= r.last_time_id);
