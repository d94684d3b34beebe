-- What people answer with a sign instead of words: to an issue's text, or to a comment.
CREATE TABLE reaction (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  comment_id INTEGER REFERENCES comment (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- One of each sign from each person; no comment has the id 0.
CREATE UNIQUE INDEX reaction_once ON reaction (issue_id, ifnull(comment_id, 0), user_id, content);
CREATE INDEX reaction_comment ON reaction (comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX reaction_user ON reaction (user_id);
