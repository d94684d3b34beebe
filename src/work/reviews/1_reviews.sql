-- What people say of a pull request as a whole, and whom a word was asked of.
CREATE TABLE review (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'COMMENT', 'REQUEST_CHANGES', 'REQUEST_REVIEW')),
  -- NULL: who is gone, or a team is asked.
  reviewer_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  team_id INTEGER REFERENCES team (id) ON DELETE CASCADE,
  body TEXT NOT NULL DEFAULT '',
  -- Whether it counted, by the rights of its reviewer then; only the latest of each reviewer does.
  is_official INTEGER NOT NULL DEFAULT 0,
  -- Whether the changes are others than those that it is about.
  is_stale INTEGER NOT NULL DEFAULT 0,
  is_dismissed INTEGER NOT NULL DEFAULT 0,
  -- The head that it is about; empty: none.
  commit_oid TEXT NOT NULL DEFAULT '',
  -- Which changes a verdict is about: what they were counted from, the tree that they came to, and a digest of their diff.
  diff_base TEXT NOT NULL DEFAULT '',
  diff_tree TEXT NOT NULL DEFAULT '',
  diff_key TEXT NOT NULL DEFAULT '',
  -- Derived, kept by triggers.
  comment_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX review_issue ON review (issue_id, created_at, id);
CREATE INDEX review_reviewer ON review (reviewer_id, state, issue_id) WHERE reviewer_id IS NOT NULL;
CREATE INDEX review_team ON review (team_id, issue_id) WHERE team_id IS NOT NULL;
-- Nobody waits for who is gone, and what they have not sent goes with them.
CREATE TRIGGER review_left AFTER UPDATE OF reviewer_id ON review WHEN NEW.reviewer_id IS NULL AND NEW.state IN ('PENDING', 'REQUEST_REVIEW') BEGIN
  DELETE FROM review WHERE id = NEW.id;
END;

-- For which ends of the changes what reviews say of them is true: whether verdicts are stale, and where comments stand.
CREATE TABLE review_standing (
  issue_id INTEGER PRIMARY KEY REFERENCES issue (id) ON DELETE CASCADE,
  base_oid TEXT NOT NULL,
  head_oid TEXT NOT NULL
) STRICT;

-- Entries of a timeline that belong to a review: its own, its dismissals, and comments on lines, which are of the types `code` and, until
-- the review is sent, `code_draft`.
ALTER TABLE comment ADD COLUMN review_id INTEGER REFERENCES review (id) ON DELETE SET NULL;
-- The team that was asked for a review.
ALTER TABLE comment ADD COLUMN assignee_team_id INTEGER REFERENCES team (id) ON DELETE SET NULL;
CREATE INDEX comment_review ON comment (review_id, id) WHERE review_id IS NOT NULL;
CREATE INDEX comment_assignee_team ON comment (assignee_team_id) WHERE assignee_team_id IS NOT NULL;
CREATE TRIGGER review_removed BEFORE DELETE ON review BEGIN
  DELETE FROM comment WHERE review_id = OLD.id AND type IN ('code', 'code_draft', 'review', 'dismiss_review');
END;
-- The words of a review are those of its entry, which can be edited as comments are.
CREATE TRIGGER review_edited AFTER UPDATE OF body ON comment WHEN NEW.type = 'review' AND NEW.body <> OLD.body BEGIN
  UPDATE review SET body = NEW.body, updated_at = NEW.updated_at WHERE id = NEW.review_id;
END;

-- Where a comment stands in the changes.
CREATE TABLE review_comment (
  comment_id INTEGER PRIMARY KEY REFERENCES comment (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  -- From 1 on; below zero: a line of what was before; 0: the file as a whole.
  line INTEGER NOT NULL,
  -- The commit in which the file has that line: a head, or what the changes are counted from.
  at_oid TEXT NOT NULL,
  -- The head that it was written about.
  original_oid TEXT NOT NULL,
  -- The lines up to it, as a patch has them.
  hunk TEXT NOT NULL DEFAULT '',
  -- Whether the line is no longer there: it stays where it was last.
  is_outdated INTEGER NOT NULL DEFAULT 0,
  resolver_id INTEGER REFERENCES user (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX review_comment_standing ON review_comment (issue_id, is_outdated);
CREATE INDEX review_comment_resolver ON review_comment (resolver_id) WHERE resolver_id IS NOT NULL;

-- How many comments on lines of a pull request have been sent.
ALTER TABLE pull ADD COLUMN review_comment_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER review_comment_added AFTER INSERT ON comment WHEN NEW.type IN ('code', 'code_draft') BEGIN
  UPDATE review SET comment_count = comment_count + 1 WHERE id = NEW.review_id;
  UPDATE pull SET review_comment_count = review_comment_count + (NEW.type = 'code') WHERE issue_id = NEW.issue_id;
END;
CREATE TRIGGER review_comment_removed AFTER DELETE ON comment WHEN OLD.type IN ('code', 'code_draft') BEGIN
  UPDATE review SET comment_count = comment_count - 1 WHERE id = OLD.review_id;
  UPDATE pull SET review_comment_count = review_comment_count - (OLD.type = 'code') WHERE issue_id = OLD.issue_id;
END;
CREATE TRIGGER review_comment_sent AFTER UPDATE OF type ON comment WHEN OLD.type = 'code_draft' AND NEW.type = 'code' BEGIN
  UPDATE pull SET review_comment_count = review_comment_count + 1 WHERE issue_id = NEW.issue_id;
END;

-- The last event that was looked at for what it does to reviews. One row.
CREATE TABLE review_place (
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO review_place (event_id) SELECT coalesce(max(id), 0) FROM event;
