-- Rules about branches, each for the branches that its name is or matches. What of several rules holds for a branch is said by the first one, by
-- priority, then exact names, then age. Columns are named as the API's members.
CREATE TABLE branch_protection (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  rule_name TEXT NOT NULL,
  priority INTEGER NOT NULL,
  enable_push INTEGER NOT NULL DEFAULT 0,
  enable_push_whitelist INTEGER NOT NULL DEFAULT 0,
  push_whitelist_deploy_keys INTEGER NOT NULL DEFAULT 0,
  enable_force_push INTEGER NOT NULL DEFAULT 0,
  enable_force_push_allowlist INTEGER NOT NULL DEFAULT 0,
  force_push_allowlist_deploy_keys INTEGER NOT NULL DEFAULT 0,
  enable_merge_whitelist INTEGER NOT NULL DEFAULT 0,
  enable_bypass_allowlist INTEGER NOT NULL DEFAULT 0,
  enable_status_check INTEGER NOT NULL DEFAULT 0,
  -- A JSON array of globs.
  status_check_contexts TEXT NOT NULL DEFAULT '[]',
  required_approvals INTEGER NOT NULL DEFAULT 0,
  enable_approvals_whitelist INTEGER NOT NULL DEFAULT 0,
  block_on_rejected_reviews INTEGER NOT NULL DEFAULT 0,
  block_on_official_review_requests INTEGER NOT NULL DEFAULT 0,
  block_on_outdated_branch INTEGER NOT NULL DEFAULT 0,
  dismiss_stale_approvals INTEGER NOT NULL DEFAULT 0,
  ignore_stale_approvals INTEGER NOT NULL DEFAULT 0,
  require_signed_commits INTEGER NOT NULL DEFAULT 0,
  protected_file_patterns TEXT NOT NULL DEFAULT '',
  unprotected_file_patterns TEXT NOT NULL DEFAULT '',
  block_admin_merge_override INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (repo_id, rule_name)
) STRICT;

-- Whom each list of a rule names.
CREATE TABLE branch_protection_user (
  protection_id INTEGER NOT NULL REFERENCES branch_protection (id) ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('push', 'force_push', 'merge', 'approvals', 'bypass')),
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, list, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX branch_protection_user_user ON branch_protection_user (user_id);

CREATE TABLE branch_protection_team (
  protection_id INTEGER NOT NULL REFERENCES branch_protection (id) ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('push', 'force_push', 'merge', 'approvals', 'bypass')),
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  PRIMARY KEY (protection_id, list, team_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX branch_protection_team_team ON branch_protection_team (team_id);

-- Who is no collaborator any more, and a team that a repository was taken from, leave its lists.
CREATE TRIGGER branch_protection_collaboration AFTER DELETE ON collaboration BEGIN
  DELETE FROM branch_protection_user WHERE user_id = OLD.user_id
    AND protection_id IN (SELECT id FROM branch_protection WHERE repo_id = OLD.repo_id);
END;
CREATE TRIGGER branch_protection_team_repo AFTER DELETE ON team_repo
WHEN NOT EXISTS (SELECT 1 FROM team WHERE id = OLD.team_id AND includes_all_repositories = 1) BEGIN
  DELETE FROM branch_protection_team WHERE team_id = OLD.team_id
    AND protection_id IN (SELECT id FROM branch_protection WHERE repo_id = OLD.repo_id);
END;
-- A repository that changes hands has none of its former owner's teams.
CREATE TRIGGER branch_protection_owner AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM branch_protection_team WHERE protection_id IN (SELECT id FROM branch_protection WHERE repo_id = NEW.id);
END;
