-- Jobs replace ended_branch, and process orphaned_pull and renaming_branch.
INSERT INTO job (kind, args, cursor, created_at)
  SELECT 'pulls.followDeletedBranch',
    json_object('repoId', repo_id, 'branch', branch, 'target', target, 'actorId', actor_id, 'at', ended_at, 'until', last_issue_id),
    json_object('from', from_looked_to, 'into', into_looked_to), CAST(strftime('%s', 'now') AS INTEGER) FROM ended_branch ORDER BY id;
DROP TABLE ended_branch;
INSERT INTO job (kind, key, args, created_at) SELECT 'pulls.closeOrphaned', 'all', '{}', CAST(strftime('%s', 'now') AS INTEGER) WHERE EXISTS (SELECT 1 FROM orphaned_pull);
INSERT INTO job (kind, key, args, created_at) SELECT 'pulls.followRenamedBranch', 'all', '{}', CAST(strftime('%s', 'now') AS INTEGER) WHERE EXISTS (SELECT 1 FROM renaming_branch);
