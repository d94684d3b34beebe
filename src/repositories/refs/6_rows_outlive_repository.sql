-- Refs and their log are no longer taken away by the statement that deletes their repository, which took half a second for a hundred
-- thousand: whoever deletes it clears them afterwards, a few at a time. Numbers of repositories are not given out twice, so nobody sees them.
CREATE TABLE ref_kept (
  repo_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  oid TEXT NOT NULL,
  -- What an annotated tag finally points to.
  peeled TEXT,
  batch INTEGER,
  -- Derived: the committer date of what a ref points to, in seconds, where that is a commit. NULL where nobody has looked yet.
  time INTEGER,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO ref_kept (repo_id, name, oid, peeled, batch, time) SELECT repo_id, name, oid, peeled, batch, time FROM ref;
DROP TABLE ref;
ALTER TABLE ref_kept RENAME TO ref;
CREATE INDEX ref_branch_time ON ref (repo_id, time DESC, name, batch) WHERE name >= 'refs/heads/' AND name < 'refs/heads0';
CREATE INDEX ref_branch_untimed ON ref (repo_id, name) WHERE time IS NULL AND name >= 'refs/heads/' AND name < 'refs/heads0';

CREATE TABLE reflog_kept (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  old_oid TEXT NOT NULL,
  new_oid TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO reflog_kept (id, repo_id, name, old_oid, new_oid, actor_id, message, created_at)
  SELECT id, repo_id, name, old_oid, new_oid, actor_id, message, created_at FROM reflog;
DROP TABLE reflog;
ALTER TABLE reflog_kept RENAME TO reflog;
CREATE INDEX reflog_ref ON reflog (repo_id, name, id);
CREATE INDEX reflog_age ON reflog (created_at);
