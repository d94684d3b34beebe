-- Jobs end the stars and watches of people who are kept apart from an owner, and stars and watches know the last of these jobs before they began.
INSERT OR REPLACE INTO job (kind, key, args, cursor, created_at)
  SELECT 'blocks.part', user_id || '/' || owner_id, json_object('userId', user_id, 'ownerId', owner_id, 'formerId', id), CAST(looked_to AS TEXT), CAST(strftime('%s', 'now') AS INTEGER)
  FROM parting ORDER BY id;
UPDATE star SET begun_after = ifnull((SELECT max(id) FROM job WHERE kind = 'blocks.part' AND json_extract(args, '$.formerId') <= begun_after), 0)
  WHERE begun_after > 0;
UPDATE watch SET begun_after = ifnull((SELECT max(id) FROM job WHERE kind = 'blocks.part' AND json_extract(args, '$.formerId') <= begun_after), 0)
  WHERE begun_after > 0;
DROP TRIGGER star_after_parting;
CREATE TRIGGER star_after_parting AFTER INSERT ON star WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.part') BEGIN
  UPDATE star SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.part') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TRIGGER star_again_after_parting;
CREATE TRIGGER star_again_after_parting AFTER UPDATE OF created_at ON star WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.part') BEGIN
  UPDATE star SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.part') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TRIGGER watch_after_parting;
CREATE TRIGGER watch_after_parting AFTER INSERT ON watch WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.part') BEGIN
  UPDATE watch SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.part') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TRIGGER watch_again_after_parting;
CREATE TRIGGER watch_again_after_parting AFTER UPDATE OF created_at ON watch WHEN EXISTS (SELECT 1 FROM job WHERE kind = 'blocks.part') BEGIN
  UPDATE watch SET begun_after = (SELECT max(id) FROM job WHERE kind = 'blocks.part') WHERE user_id = NEW.user_id AND repo_id = NEW.repo_id;
END;
DROP TABLE parting;
