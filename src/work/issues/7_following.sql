-- What a label or milestone stands on when it comes back is counted then: some of what referred to it may not have gone yet, and the rest is
-- counted as it follows.
CREATE TRIGGER label_counted AFTER INSERT ON label BEGIN
  UPDATE label SET issue_count = (SELECT count(*) FROM issue_label WHERE label_id = NEW.id) WHERE id = NEW.id;
END;
CREATE TRIGGER milestone_counted AFTER INSERT ON milestone BEGIN
  UPDATE milestone SET (open_issue_count, closed_issue_count) = (SELECT count(*) FILTER (WHERE NOT is_closed), count(*) FILTER (WHERE is_closed)
    FROM issue WHERE milestone_id = NEW.id) WHERE id = NEW.id;
END;
-- A repository that leaves its organization leaves the labels behind that are gone there, too.
DROP TRIGGER issue_label_owner;
CREATE TRIGGER issue_label_owner AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM issue_label WHERE repo_id = NEW.id AND label_id IN
    (SELECT id FROM label WHERE org_id = OLD.owner_id UNION SELECT row_id FROM deletion WHERE org_id = OLD.owner_id AND table_name = 'label');
  DELETE FROM comment WHERE repo_id = NEW.id AND label_id IN
    (SELECT id FROM label WHERE org_id = OLD.owner_id UNION SELECT row_id FROM deletion WHERE org_id = OLD.owner_id AND table_name = 'label');
END;
