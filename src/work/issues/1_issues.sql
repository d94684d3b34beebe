-- Issues and pull requests: one sequence of numbers a repository. Who is deleted leaves what they wrote, without a name.
CREATE TABLE issue (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  is_pull INTEGER NOT NULL DEFAULT 0,
  poster_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL DEFAULT '',
  -- The branch or tag that it is about, as a full name; empty: none.
  ref TEXT NOT NULL DEFAULT '',
  milestone_id INTEGER REFERENCES milestone (id) ON DELETE SET NULL,
  is_closed INTEGER NOT NULL DEFAULT 0,
  closed_at INTEGER,
  -- Who closed it last.
  closed_by INTEGER REFERENCES user (id) ON DELETE SET NULL,
  due_at INTEGER,
  -- Of a pull request.
  merged_at INTEGER,
  is_locked INTEGER NOT NULL DEFAULT 0,
  -- Its place among the pinned, from 1 on; 0: not pinned.
  pin_order INTEGER NOT NULL DEFAULT 0,
  -- Goes up with each change of the text, for who edits what they have read.
  content_version INTEGER NOT NULL DEFAULT 0,
  time_estimate INTEGER NOT NULL DEFAULT 0,
  comment_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (repo_id, number),
  CHECK ((closed_at IS NULL) = (is_closed = 0))
) STRICT;
-- Lists: each order of a repository's issues is read from an index, those of one state without the others.
CREATE INDEX issue_created ON issue (repo_id, is_closed, is_pull, created_at, id);
CREATE INDEX issue_all_created ON issue (repo_id, created_at, id, is_pull);
CREATE INDEX issue_updated ON issue (repo_id, is_closed, is_pull, updated_at, id);
CREATE INDEX issue_all_updated ON issue (repo_id, updated_at, id, is_pull);
CREATE INDEX issue_comments ON issue (repo_id, is_closed, is_pull, comment_count, id);
CREATE INDEX issue_due ON issue (repo_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX issue_pinned ON issue (repo_id, is_pull, pin_order) WHERE pin_order > 0;
CREATE INDEX issue_poster ON issue (poster_id, repo_id, is_closed, is_pull);
CREATE INDEX issue_closer ON issue (closed_by) WHERE closed_by IS NOT NULL;
CREATE INDEX issue_milestone ON issue (milestone_id, is_closed, is_pull) WHERE milestone_id IS NOT NULL;
-- For the search in all repositories.
CREATE INDEX issue_everywhere ON issue (is_closed, created_at, id, repo_id, is_pull);

-- Where an issue that was moved to another repository is now.
CREATE TABLE issue_redirect (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  PRIMARY KEY (repo_id, number)
) STRICT;
CREATE INDEX issue_redirect_issue ON issue_redirect (issue_id);

CREATE TABLE issue_assignee (
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_assignee_user ON issue_assignee (user_id, issue_id);

CREATE TABLE issue_label (
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  label_id INTEGER NOT NULL REFERENCES label (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_label_label ON issue_label (label_id, issue_id);

-- Who was mentioned in the text or a comment.
CREATE TABLE issue_mention (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, issue_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_mention_issue ON issue_mention (issue_id);

-- Who asked to be told, or not to be, whatever else they watch.
CREATE TABLE issue_subscription (
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  is_on INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issue_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_subscription_user ON issue_subscription (user_id);

-- An issue stays open as long as one that it depends on is.
CREATE TABLE issue_dependency (
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  depends_on INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issue_id, depends_on)
) STRICT, WITHOUT ROWID;
CREATE INDEX issue_dependency_other ON issue_dependency (depends_on, issue_id);

-- The timeline: what people wrote (`comment`), and what happened (all other types). What an entry is about stands in the columns
-- that its type uses.
CREATE TABLE comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  -- That of the issue, for the list of a repository's comments.
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  poster_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  body TEXT NOT NULL DEFAULT '',
  content_version INTEGER NOT NULL DEFAULT 0,
  label_id INTEGER REFERENCES label (id) ON DELETE CASCADE,
  milestone_id INTEGER REFERENCES milestone (id) ON DELETE SET NULL,
  old_milestone_id INTEGER REFERENCES milestone (id) ON DELETE SET NULL,
  assignee_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  -- Whether the assignee was taken off it.
  is_removal INTEGER NOT NULL DEFAULT 0,
  old_text TEXT NOT NULL DEFAULT '',
  new_text TEXT NOT NULL DEFAULT '',
  dependent_issue_id INTEGER REFERENCES issue (id) ON DELETE CASCADE,
  -- Where this issue was referred to: an issue, and one of its comments where it was not its text.
  ref_issue_id INTEGER REFERENCES issue (id) ON DELETE CASCADE,
  ref_comment_id INTEGER REFERENCES comment (id) ON DELETE CASCADE,
  -- 'none', 'closes', 'reopens', or 'neutered' for one that no longer does.
  ref_action TEXT NOT NULL DEFAULT '',
  commit_oid TEXT NOT NULL DEFAULT '',
  time_id INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX comment_timeline ON comment (issue_id, created_at, id);
CREATE INDEX comment_written ON comment (issue_id, created_at, id, poster_id) WHERE type = 'comment';
CREATE INDEX comment_repo ON comment (repo_id, created_at, id) WHERE type = 'comment';
CREATE INDEX comment_repo_updated ON comment (repo_id, updated_at) WHERE type = 'comment';
CREATE INDEX comment_poster ON comment (poster_id);
CREATE INDEX comment_assignee ON comment (assignee_id) WHERE assignee_id IS NOT NULL;
CREATE INDEX comment_label ON comment (label_id) WHERE label_id IS NOT NULL;
CREATE INDEX comment_milestone ON comment (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX comment_old_milestone ON comment (old_milestone_id) WHERE old_milestone_id IS NOT NULL;
CREATE INDEX comment_dependent ON comment (dependent_issue_id) WHERE dependent_issue_id IS NOT NULL;
CREATE INDEX comment_ref_issue ON comment (ref_issue_id) WHERE ref_issue_id IS NOT NULL;
CREATE INDEX comment_ref_comment ON comment (ref_comment_id) WHERE ref_comment_id IS NOT NULL;

-- What texts were before they were edited; the newest is what stands now.
CREATE TABLE content_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  issue_id INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
  -- NULL: the issue's own text.
  comment_id INTEGER REFERENCES comment (id) ON DELETE CASCADE,
  editor_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX content_history_issue ON content_history (issue_id, comment_id, id);
CREATE INDEX content_history_comment ON content_history (comment_id) WHERE comment_id IS NOT NULL;
CREATE INDEX content_history_editor ON content_history (editor_id) WHERE editor_id IS NOT NULL;

-- Derived, for searching; `rowid` is that of the issue or comment. Texts are indexed as `search-words.ts` writes them.
CREATE VIRTUAL TABLE issue_search USING fts5 (title, body, repo, content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE comment_search USING fts5 (body, repo, content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
CREATE TRIGGER issue_unsearched AFTER DELETE ON issue BEGIN
  DELETE FROM issue_search WHERE rowid = OLD.id;
END;
CREATE TRIGGER comment_unsearched AFTER DELETE ON comment WHEN OLD.type = 'comment' BEGIN
  DELETE FROM comment_search WHERE rowid = OLD.id;
END;

-- Numbers are given out in order and never again.
ALTER TABLE repository ADD COLUMN last_issue_number INTEGER NOT NULL DEFAULT 0;
-- Derived, as all counts below: the triggers keep them, whichever way an issue comes, changes or goes.
ALTER TABLE repository ADD COLUMN open_issue_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN closed_issue_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN open_pull_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN closed_pull_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN issue_comment_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN pull_comment_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE label ADD COLUMN issue_count INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER issue_added AFTER INSERT ON issue BEGIN
  UPDATE repository SET
    open_issue_count = open_issue_count + (NOT NEW.is_closed AND NOT NEW.is_pull),
    closed_issue_count = closed_issue_count + (NEW.is_closed AND NOT NEW.is_pull),
    open_pull_count = open_pull_count + (NOT NEW.is_closed AND NEW.is_pull),
    closed_pull_count = closed_pull_count + (NEW.is_closed AND NEW.is_pull),
    issue_comment_count = issue_comment_count + iif(NEW.is_pull, 0, NEW.comment_count),
    pull_comment_count = pull_comment_count + iif(NEW.is_pull, NEW.comment_count, 0)
  WHERE id = NEW.repo_id;
  UPDATE milestone SET open_issue_count = open_issue_count + NOT NEW.is_closed, closed_issue_count = closed_issue_count + NEW.is_closed
  WHERE id = NEW.milestone_id;
END;
CREATE TRIGGER issue_removed AFTER DELETE ON issue BEGIN
  UPDATE repository SET
    open_issue_count = open_issue_count - (NOT OLD.is_closed AND NOT OLD.is_pull),
    closed_issue_count = closed_issue_count - (OLD.is_closed AND NOT OLD.is_pull),
    open_pull_count = open_pull_count - (NOT OLD.is_closed AND OLD.is_pull),
    closed_pull_count = closed_pull_count - (OLD.is_closed AND OLD.is_pull),
    issue_comment_count = issue_comment_count - iif(OLD.is_pull, 0, OLD.comment_count),
    pull_comment_count = pull_comment_count - iif(OLD.is_pull, OLD.comment_count, 0)
  WHERE id = OLD.repo_id;
  UPDATE milestone SET open_issue_count = open_issue_count - NOT OLD.is_closed, closed_issue_count = closed_issue_count - OLD.is_closed
  WHERE id = OLD.milestone_id;
END;
CREATE TRIGGER issue_changed AFTER UPDATE OF repo_id, is_closed, milestone_id, comment_count ON issue BEGIN
  UPDATE repository SET
    open_issue_count = open_issue_count - (NOT OLD.is_closed AND NOT OLD.is_pull),
    closed_issue_count = closed_issue_count - (OLD.is_closed AND NOT OLD.is_pull),
    open_pull_count = open_pull_count - (NOT OLD.is_closed AND OLD.is_pull),
    closed_pull_count = closed_pull_count - (OLD.is_closed AND OLD.is_pull),
    issue_comment_count = issue_comment_count - iif(OLD.is_pull, 0, OLD.comment_count),
    pull_comment_count = pull_comment_count - iif(OLD.is_pull, OLD.comment_count, 0)
  WHERE id = OLD.repo_id;
  UPDATE repository SET
    open_issue_count = open_issue_count + (NOT NEW.is_closed AND NOT NEW.is_pull),
    closed_issue_count = closed_issue_count + (NEW.is_closed AND NOT NEW.is_pull),
    open_pull_count = open_pull_count + (NOT NEW.is_closed AND NEW.is_pull),
    closed_pull_count = closed_pull_count + (NEW.is_closed AND NEW.is_pull),
    issue_comment_count = issue_comment_count + iif(NEW.is_pull, 0, NEW.comment_count),
    pull_comment_count = pull_comment_count + iif(NEW.is_pull, NEW.comment_count, 0)
  WHERE id = NEW.repo_id;
END;
CREATE TRIGGER issue_milestone_changed AFTER UPDATE OF is_closed, milestone_id ON issue
WHEN OLD.is_closed <> NEW.is_closed OR OLD.milestone_id IS NOT NEW.milestone_id BEGIN
  UPDATE milestone SET open_issue_count = open_issue_count - NOT OLD.is_closed, closed_issue_count = closed_issue_count - OLD.is_closed
  WHERE id = OLD.milestone_id;
  UPDATE milestone SET open_issue_count = open_issue_count + NOT NEW.is_closed, closed_issue_count = closed_issue_count + NEW.is_closed
  WHERE id = NEW.milestone_id;
END;
CREATE TRIGGER comment_added AFTER INSERT ON comment WHEN NEW.type = 'comment' BEGIN
  UPDATE issue SET comment_count = comment_count + 1 WHERE id = NEW.issue_id;
END;
CREATE TRIGGER comment_removed AFTER DELETE ON comment WHEN OLD.type = 'comment' BEGIN
  UPDATE issue SET comment_count = comment_count - 1 WHERE id = OLD.issue_id;
END;
CREATE TRIGGER issue_labelled AFTER INSERT ON issue_label BEGIN
  UPDATE label SET issue_count = issue_count + 1 WHERE id = NEW.label_id;
END;
CREATE TRIGGER issue_unlabelled AFTER DELETE ON issue_label BEGIN
  UPDATE label SET issue_count = issue_count - 1 WHERE id = OLD.label_id;
END;
