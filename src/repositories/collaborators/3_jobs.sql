-- A job processes the table.
INSERT INTO job (kind, key, args, created_at) SELECT 'collaborators.removeEnded', 'all', '{}', CAST(strftime('%s', 'now') AS INTEGER) WHERE EXISTS (SELECT 1 FROM ended_collaboration);
