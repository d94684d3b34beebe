-- Jobs replace the tables of unfinished work.
INSERT INTO job (kind, key, args, cursor, created_at)
  SELECT 'leaving.removeWatches', user_id || '/' || owner_id, json_object('userId', user_id, 'ownerId', owner_id), CAST(looked_to AS TEXT), CAST(strftime('%s', 'now') AS INTEGER)
  FROM leaver ORDER BY user_id, owner_id;
DROP TABLE leaver;
INSERT INTO job (kind, key, args, created_at)
  SELECT 'repos.deleteAll', owner_id, json_object('ownerId', owner_id, 'actorId', actor_id, 'lastId', last_repo_id), CAST(strftime('%s', 'now') AS INTEGER)
  FROM purge WHERE takes_account = 0 ORDER BY owner_id;
INSERT INTO job (kind, key, args, created_at)
  SELECT 'admin.deleteAccount', owner_id, json_object('userId', owner_id, 'actorId', actor_id), CAST(strftime('%s', 'now') AS INTEGER) FROM purge WHERE takes_account = 1 ORDER BY owner_id;
DROP TABLE purge;
