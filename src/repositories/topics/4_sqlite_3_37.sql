-- Lets SQLite 3.37 and newer open the database: ORDER BY in an aggregate needs 3.44, unixepoch() 3.38.
DROP TRIGGER topic_added;
CREATE TRIGGER topic_added AFTER INSERT ON topic BEGIN
  UPDATE repository
  SET topic_names = (SELECT group_concat(name, ',') FROM (SELECT name FROM topic WHERE repo_id = NEW.repo_id ORDER BY name))
  WHERE id = NEW.repo_id;
END;
DROP TRIGGER topic_removed;
CREATE TRIGGER topic_removed AFTER DELETE ON topic BEGIN
  UPDATE repository
  SET topic_names = coalesce((SELECT group_concat(name, ',') FROM (SELECT name FROM topic WHERE repo_id = OLD.repo_id ORDER BY name)), '')
  WHERE id = OLD.repo_id;
END;
DROP TRIGGER topic_word_used;
CREATE TRIGGER topic_word_used AFTER INSERT ON topic BEGIN
  INSERT INTO topic_word (name, created_at, updated_at)
  VALUES (NEW.name, CAST(strftime('%s', 'now') AS INTEGER), CAST(strftime('%s', 'now') AS INTEGER))
  ON CONFLICT (name) DO UPDATE SET updated_at = excluded.updated_at;
END;
DROP TRIGGER topic_word_dropped;
CREATE TRIGGER topic_word_dropped AFTER DELETE ON topic BEGIN
  UPDATE topic_word SET updated_at = CAST(strftime('%s', 'now') AS INTEGER) WHERE name = OLD.name;
END;
