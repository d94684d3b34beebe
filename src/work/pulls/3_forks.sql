-- How hidden the head's repository was when the pull request was opened: 0 for everybody, 1 for who is signed in, 2 for some. What is pushed
-- once it is more hidden than that, and than the base, is not shown here.
ALTER TABLE pull ADD COLUMN head_hiding INTEGER NOT NULL DEFAULT 0;
-- Who let writers of the base push to the head: it holds as long as they may do so themselves.
ALTER TABLE pull ADD COLUMN edits_allowed_by INTEGER REFERENCES user (id) ON DELETE SET NULL;
CREATE INDEX pull_edits_allowed ON pull (edits_allowed_by) WHERE edits_allowed_by IS NOT NULL;

-- Pushes to heads in other repositories whose objects are yet to be brought here; written in the transaction that moves the branch there.
CREATE TABLE pull_push (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  head_oid TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pull_push_issue ON pull_push (issue_id, id);
