-- Who wants to hear of what happens in a repository.
CREATE TABLE watch (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  -- 'normal': asked for; 'auto': began with something else the person did there; 'ignored': no longer, and not to begin by itself again.
  mode TEXT NOT NULL DEFAULT 'normal' CHECK (mode IN ('normal', 'auto', 'ignored')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, repo_id)
) STRICT;
CREATE INDEX watch_repo ON watch (repo_id, user_id, mode);
