-- Files of a pull request that somebody has looked at, as they were then on both sides: a mode and a blob's id each, empty where there was no
-- file. So a mark outlasts pushes that leave the file alone.
CREATE TABLE viewed_file (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  old_side TEXT NOT NULL,
  new_side TEXT NOT NULL,
  UNIQUE (issue_id, user_id, path)
) STRICT;
CREATE INDEX viewed_file_user ON viewed_file (user_id);
