-- Every word that is or was a topic: searches tell of it by an id and dates of its own, whichever repositories carry it.
CREATE TABLE topic_word (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO topic_word (name, created_at, updated_at) SELECT DISTINCT name, unixepoch(), unixepoch() FROM topic ORDER BY name;
CREATE TRIGGER topic_word_used AFTER INSERT ON topic BEGIN
  INSERT INTO topic_word (name, created_at, updated_at) VALUES (NEW.name, unixepoch(), unixepoch())
  ON CONFLICT (name) DO UPDATE SET updated_at = excluded.updated_at;
END;
CREATE TRIGGER topic_word_dropped AFTER DELETE ON topic BEGIN
  UPDATE topic_word SET updated_at = unixepoch() WHERE name = OLD.name;
END;
