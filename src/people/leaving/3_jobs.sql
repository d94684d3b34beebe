-- Jobs go through what people watch who may see less than before, and through the repositories of owners who are to be left without.
INSERT INTO job (kind, key, args, cursor, created_at)
  SELECT 'leaving.endWatches', user_id || '/' || owner_id, json_object('userId', user_id, 'ownerId', owner_id), CAST(looked_to AS TEXT), CAST(strftime('%s', 'now') AS INTEGER)
  FROM leaver ORDER BY user_id, owner_id;
DROP TABLE leaver;
INSERT INTO job (kind, key, args, created_at)
  SELECT 'repos.purge', owner_id, json_object('ownerId', owner_id, 'actorId', actor_id, 'lastId', last_repo_id), CAST(strftime('%s', 'now') AS INTEGER)
  FROM purge WHERE takes_account = 0 ORDER BY owner_id;
INSERT INTO job (kind, key, args, created_at)
  SELECT 'admin.deleteAccount', owner_id, json_object('userId', owner_id, 'actorId', actor_id), CAST(strftime('%s', 'now') AS INTEGER) FROM purge WHERE takes_account = 1 ORDER BY owner_id;
DROP TABLE purge;
