-- Whom a person or an organization keeps away from themselves and what they own.
CREATE TABLE block (
  blocker_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  blocked_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- For the blocker alone.
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
) STRICT;
CREATE INDEX block_blocked ON block (blocked_id);
