-- Durable background jobs: what to do, how far the job has come, and why it failed.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The room and what the job does: `issues.removeForeignLabels`.
  kind TEXT NOT NULL,
  -- A new job replaces the one with the same kind and key. NULL: it replaces none.
  key TEXT,
  -- JSON.
  args TEXT NOT NULL,
  -- JSON. NULL: the job has not started.
  cursor TEXT,
  -- Unix seconds; 0: now.
  run_at INTEGER NOT NULL DEFAULT 0,
  -- The number of failures since the job last made progress.
  attempts INTEGER NOT NULL DEFAULT 0,
  -- The last error; empty if there is none.
  last_error TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  UNIQUE (kind, key)
) STRICT;
CREATE INDEX job_due ON job (kind, run_at, id);
