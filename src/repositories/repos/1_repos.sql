CREATE TABLE repository (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES user (id),
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  website TEXT NOT NULL DEFAULT '',
  default_branch TEXT NOT NULL,
  object_format TEXT NOT NULL DEFAULT 'sha1',
  trust_model TEXT NOT NULL DEFAULT 'default',
  is_private INTEGER NOT NULL DEFAULT 0,
  is_template INTEGER NOT NULL DEFAULT 0,
  is_mirror INTEGER NOT NULL DEFAULT 0,
  -- No branch has ever been pushed.
  is_empty INTEGER NOT NULL DEFAULT 1,
  archived_at INTEGER,
  fork_of INTEGER REFERENCES repository (id) ON DELETE SET NULL,
  mirror_interval TEXT NOT NULL DEFAULT '',
  enable_prune INTEGER NOT NULL DEFAULT 1,
  -- Settings of Gitea's repository record that nothing is joined on, as JSON; see settings.ts.
  settings TEXT NOT NULL DEFAULT '{}',
  -- Bytes on disk, derived.
  size_bytes INTEGER NOT NULL DEFAULT 0,
  -- Its picture's file, as people/avatars keeps them; empty: there is none.
  avatar TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (owner_id, lower_name)
) STRICT;
CREATE INDEX repository_updated ON repository (updated_at);
CREATE INDEX repository_created ON repository (created_at);
CREATE INDEX repository_name ON repository (lower_name);
-- What decides who sees a repository, so that counting lists reads this index alone.
CREATE INDEX repository_sight ON repository (is_private, owner_id, settings);
CREATE INDEX repository_fork ON repository (fork_of);
CREATE UNIQUE INDEX repository_avatar ON repository (avatar) WHERE avatar <> '';

-- Where a renamed or transferred repository is now.
CREATE TABLE repository_redirect (
  owner_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  lower_name TEXT NOT NULL,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  PRIMARY KEY (owner_id, lower_name)
) STRICT;
CREATE INDEX repository_redirect_repo ON repository_redirect (repo_id);

-- Repositories deleted from the table whose directory is still to be removed.
CREATE TABLE removed_repository (
  id INTEGER PRIMARY KEY,
  removed_at INTEGER NOT NULL
) STRICT;
