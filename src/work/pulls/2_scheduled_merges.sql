-- Merges that wait for the checks of a pull request's head to succeed.
CREATE TABLE scheduled_merge (
  issue_id INTEGER PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
  -- The repository of the issue, by which statuses find it.
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  -- Who asked for it, and with whose rights it is done.
  doer_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  style TEXT NOT NULL,
  -- NULL: what a merge says by itself.
  title TEXT,
  message TEXT,
  -- The only head that may be merged; NULL: whatever is pushed until then.
  head_oid TEXT,
  -- NULL: as the repository has it.
  deletes_branch INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX scheduled_merge_repo ON scheduled_merge (repo_id);
CREATE INDEX scheduled_merge_doer ON scheduled_merge (doer_id);

-- The last event that was looked at for what it lets be merged. One row.
CREATE TABLE scheduled_merge_place (
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO scheduled_merge_place (event_id) SELECT coalesce(max(id), 0) FROM event;
