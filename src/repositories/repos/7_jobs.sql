-- Jobs process hiding_repository and replace narrowed_repository.
INSERT INTO job (kind, key, args, created_at) SELECT 'repos.hideForks', 'all', '{}', CAST(strftime('%s', 'now') AS INTEGER) WHERE EXISTS (SELECT 1 FROM hiding_repository);
INSERT INTO job (kind, key, args, cursor, created_at)
  SELECT 'repos.removeOutsiders', id, json_object('repoId', id), CAST(looked_to AS TEXT), CAST(strftime('%s', 'now') AS INTEGER) FROM narrowed_repository ORDER BY id;
DROP TABLE narrowed_repository;
