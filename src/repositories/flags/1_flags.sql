-- Marks that site administrators put on repositories, for programs of their own.
CREATE TABLE repository_flag (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;
