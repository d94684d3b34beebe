-- Owners whose repositories are being deleted one after another: what a crash interrupts goes on at the next start.
CREATE TABLE purge (
  owner_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  -- Who asked for it; their account may be gone by now.
  actor_id INTEGER NOT NULL,
  -- Repositories made after the request are kept.
  last_repo_id INTEGER NOT NULL,
  -- 1: the account itself goes too.
  takes_account INTEGER NOT NULL
) STRICT;
