-- Heads that forced pushes have left behind and that refs/pull/N/versions/ keeps, the newest last.
CREATE TABLE pull_version (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  oid TEXT NOT NULL,
  UNIQUE (issue_id, oid)
) STRICT;
INSERT INTO pull_version (issue_id, oid)
  SELECT issue.id, ref.oid FROM ref JOIN issue ON issue.repo_id = ref.repo_id AND ref.name = 'refs/pull/' || issue.number || '/versions/' || ref.oid
  WHERE ref.name >= 'refs/pull/' AND ref.name < 'refs/pull0';
