-- A job clears what has ended.
INSERT INTO job (kind, key, args, created_at) SELECT 'collaborators.clearEnded', 'all', '{}', CAST(strftime('%s', 'now') AS INTEGER) WHERE EXISTS (SELECT 1 FROM ended_collaboration);
