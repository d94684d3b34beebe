-- Jobs remove stars and watches of blocked users. `begun_after` is the id of the last of these jobs when a star or watch was created.
INSERT OR REPLACE INTO job (kind, key, args, cursor, created_at)
  SELECT 'blocks.removeInterests', user_id || '/' || owner_id, json_object('userId', user_id, 'ownerId', owner_id, 'formerId', id), CAST(looked_to AS TEXT), CAST(strftime('%s', 'now') AS INTEGER)
  FROM parting ORDER BY id;
UPDATE star SET begun_after = ifnull((SELECT max(id) FROM job WHERE kind = 'blocks.removeInterests' AND json_extract(args, '$.formerId') <= begun_after), 0)
  WHERE begun_after > 0;
UPDATE watch SET begun_after = ifnull((SELECT max(id) FROM job WHERE kind = 'blocks.removeInterests' AND json_extract(args, '$.formerId') <= begun_after), 0)
  WHERE begun_after > 0;
DROP TRIGGER star_after_parting;
CREATE TRIGGER star_after_parting AFTER INSERT ON star WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.removeInterests') BEGIN
  UPDATE star SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.removeInterests') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TRIGGER star_again_after_parting;
CREATE TRIGGER star_again_after_parting AFTER UPDATE OF created_at ON star WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.removeInterests') BEGIN
  UPDATE star SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.removeInterests') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TRIGGER watch_after_parting;
CREATE TRIGGER watch_after_parting AFTER INSERT ON watch WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.removeInterests') BEGIN
  UPDATE watch SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.removeInterests') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TRIGGER watch_again_after_parting;
CREATE TRIGGER watch_again_after_parting AFTER UPDATE OF created_at ON watch WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.removeInterests') BEGIN
  UPDATE watch SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.removeInterests') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TABLE parting;
