-- How often each sign stands under a text, and which was set first there: very many people may have set one. Derived, kept by triggers.
CREATE TABLE reaction_count (
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  -- 0: the issue's own text.
  comment_id INTEGER NOT NULL,
  content TEXT NOT NULL,
  count INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  PRIMARY KEY (issue_id, comment_id, content)
) STRICT, WITHOUT ROWID;
INSERT INTO reaction_count
SELECT issue_id, ifnull(comment_id, 0), content, count(*), min(id) FROM reaction GROUP BY issue_id, ifnull(comment_id, 0), content;
-- Lists are read from the first, the next one of a sign from the second.
CREATE INDEX reaction_list ON reaction (issue_id, ifnull(comment_id, 0), id);
CREATE INDEX reaction_sign ON reaction (issue_id, ifnull(comment_id, 0), content, id);

CREATE TRIGGER reaction_added AFTER INSERT ON reaction BEGIN
  INSERT INTO reaction_count VALUES (NEW.issue_id, ifnull(NEW.comment_id, 0), NEW.content, 1, NEW.id)
  ON CONFLICT DO UPDATE SET count = count + 1, first_id = min(first_id, excluded.first_id);
END;
CREATE TRIGGER reaction_removed AFTER DELETE ON reaction BEGIN
  DELETE FROM reaction_count WHERE issue_id = OLD.issue_id AND comment_id = ifnull(OLD.comment_id, 0) AND content = OLD.content AND count = 1;
  UPDATE reaction_count SET count = count - 1, first_id = iif(first_id <> OLD.id, first_id,
    (SELECT min(id) FROM reaction WHERE issue_id = OLD.issue_id AND ifnull(comment_id, 0) = ifnull(OLD.comment_id, 0) AND content = OLD.content))
  WHERE issue_id = OLD.issue_id AND comment_id = ifnull(OLD.comment_id, 0) AND content = OLD.content;
END;
