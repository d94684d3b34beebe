-- People who were let into a repository one by one.
CREATE TABLE collaboration (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('read', 'write', 'admin')),
  PRIMARY KEY (repo_id, user_id)
) STRICT;
CREATE INDEX collaboration_user ON collaboration (user_id);
