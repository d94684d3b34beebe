-- What people did in repositories, as feeds and heatmaps tell it: one row, however many watch. Derived from `event`, by a reader
-- that keeps its place: with both tables emptied, and the place put back, all is made again.
CREATE TABLE activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Gitea's name of it: `create_repo`, `commit_repo` …
  op_type TEXT NOT NULL,
  actor_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  -- The full name; empty for what is not about a ref.
  ref_name TEXT NOT NULL,
  -- Of a push: what the ref pointed to before and after.
  before_oid TEXT NOT NULL,
  after_oid TEXT NOT NULL,
  -- NULL: the pushed commits are still to be read from the repository.
  content TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX activity_actor ON activity (actor_id, created_at, repo_id);
CREATE INDEX activity_repo ON activity (repo_id, created_at, actor_id);
CREATE INDEX activity_unread ON activity (id) WHERE content IS NULL;

-- The last event that was looked at. One row.
CREATE TABLE activity_place (
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO activity_place (event_id) VALUES (0);
