-- Tags whose name matches a pattern are made, moved and deleted by those that are listed alone.
CREATE TABLE tag_protection (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name_pattern TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (repo_id, name_pattern)
) STRICT;

CREATE TABLE tag_protection_user (
  protection_id INTEGER NOT NULL REFERENCES tag_protection (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_protection_user_user ON tag_protection_user (user_id);

CREATE TABLE tag_protection_team (
  protection_id INTEGER NOT NULL REFERENCES tag_protection (id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, team_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_protection_team_team ON tag_protection_team (team_id);
