-- Work that outlives its request: what is to be done, how far that has come, and what kept it from being done.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- `issues.takeForeignLabels`: the room, and what it does.
  kind TEXT NOT NULL,
  -- Of jobs with the same kind and key only the last one stands. NULL: none has its key.
  key TEXT,
  -- JSON.
  args TEXT NOT NULL,
  -- JSON: how far it has come. NULL: it has not begun.
  cursor TEXT,
  -- Unix seconds; 0: as soon as its turn comes.
  run_at INTEGER NOT NULL DEFAULT 0,
  -- How often it failed since it last went on.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Why, the last time; empty: it has not.
  last_error TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX job_turn ON job (kind, run_at, id);
