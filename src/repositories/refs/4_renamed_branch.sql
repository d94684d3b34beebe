-- Where branches went that were renamed: readers of files follow until a branch has the old name again.
CREATE TABLE renamed_branch (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  from_name TEXT NOT NULL,
  to_name TEXT NOT NULL,
  PRIMARY KEY (repo_id, from_name)
) STRICT, WITHOUT ROWID;
