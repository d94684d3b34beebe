-- What happened, written in the transaction that made it happen.
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  repo_id INTEGER,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX event_repo ON event (repo_id, id);
CREATE INDEX event_age ON event (created_at);
