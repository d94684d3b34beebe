BEGIN TRANSACTION;
CREATE TABLE access_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  last_eight TEXT NOT NULL,
  -- Comma-separated, normalized: `all`, or sorted categories.
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (user_id, name)
) STRICT;
INSERT INTO "access_token" VALUES(1,1,'test 1','2fa21f58a31fa65c5fb89dba47294a6d6ee92b3d835b0a8b4cf3bb2c17c63d3e','fa8de160','all',1795310610,1795310610);
INSERT INTO "access_token" VALUES(2,2,'test 2','9f9cb6bb9ff290e5d72cb7bc3731a1ff20aa9a6f109929cc5180816ef62813ef','181737fa','all',1795310610,1795310610);
CREATE TABLE activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Gitea's name of it: `create_repo`, `commit_repo` …
  op_type TEXT NOT NULL,
  actor_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  -- The full name; empty for what is not about a ref.
  ref_name TEXT NOT NULL,
  -- Of a push: what the ref pointed to before and after.
  before_oid TEXT NOT NULL,
  after_oid TEXT NOT NULL,
  -- NULL: the pushed commits are still to be read from the repository.
  content TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE activity_place (
  event_id INTEGER NOT NULL
) STRICT;
INSERT INTO "activity_place" VALUES(0);
CREATE TABLE badge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  image_url TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE block (
  blocker_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  blocked_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- For the blocker alone.
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (blocker_id, blocked_id),
  CHECK (blocker_id <> blocked_id)
) STRICT;
CREATE TABLE collaboration (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  level TEXT NOT NULL CHECK (level IN ('read', 'write', 'admin')),
  PRIMARY KEY (repo_id, user_id)
) STRICT;
INSERT INTO "collaboration" VALUES(1,2,'write');
CREATE TABLE deploy_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  key_id INTEGER NOT NULL REFERENCES public_key (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  is_read_only INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (repo_id, key_id),
  UNIQUE (repo_id, title)
) STRICT;
CREATE TABLE "email_address" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  lower_email TEXT NOT NULL,
  is_verified INTEGER NOT NULL DEFAULT 0,
  is_primary INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, lower_email)
) STRICT;
INSERT INTO "email_address" VALUES(1,1,'ada@example.org','ada@example.org',1,1);
INSERT INTO "email_address" VALUES(2,2,'bob@example.org','bob@example.org',1,1);
INSERT INTO "email_address" VALUES(3,2,'bob2@example.org','bob2@example.org',0,0);
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  repo_id INTEGER,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "event" VALUES(1,'repository',1,1,'{"type":"repository","action":"created","actorId":1,"repoId":1,"fullName":"ada/engine"}',1795310610);
INSERT INTO "event" VALUES(2,'repository',2,2,'{"type":"repository","action":"created","actorId":2,"repoId":2,"fullName":"bob/notes"}',1795310610);
INSERT INTO "event" VALUES(3,'repository',1,3,'{"type":"repository","action":"created","actorId":1,"repoId":3,"fullName":"lab/shared"}',1795310610);
CREATE TABLE follow (
  follower_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  followed_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (follower_id, followed_id),
  CHECK (follower_id <> followed_id)
) STRICT;
INSERT INTO "follow" VALUES(2,1,1795310610);
CREATE TABLE gpg_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- The primary key that a subkey belongs to; NULL for a primary key itself.
  primary_id INTEGER REFERENCES gpg_key (id) ON DELETE CASCADE,
  -- Sixteen hexadecimal digits in upper case.
  key_id TEXT NOT NULL,
  -- The public key packet alone.
  packet BLOB NOT NULL,
  -- What signatures are verified with: the key with its identities, subkeys and its own signatures; NULL for subkeys.
  certificate BLOB,
  can_sign INTEGER NOT NULL,
  can_certify INTEGER NOT NULL,
  can_encrypt_comms INTEGER NOT NULL,
  can_encrypt_storage INTEGER NOT NULL,
  -- Whether the account has shown that it holds the private key, by a signature of its own.
  is_verified INTEGER NOT NULL DEFAULT 0,
  -- When the key was made, and when it ends, if ever; as it says itself.
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  CHECK ((primary_id IS NULL) = (certificate IS NOT NULL))
) STRICT;
CREATE TABLE gpg_key_identity (
  key_id INTEGER NOT NULL REFERENCES gpg_key (id) ON DELETE CASCADE,
  lower_email TEXT NOT NULL,
  PRIMARY KEY (key_id, lower_email)
) STRICT, WITHOUT ROWID;
CREATE TABLE label (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER REFERENCES repository (id) ON DELETE CASCADE,
  org_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  -- Six hexadecimal digits in lower case.
  color TEXT NOT NULL,
  -- One of the labels with the same scope (what comes before the last `/` of the name) excludes the others.
  is_exclusive INTEGER NOT NULL DEFAULT 0,
  archived_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((repo_id IS NULL) <> (org_id IS NULL))
) STRICT;
INSERT INTO "label" VALUES(1,1,NULL,'bug','','ff0000',0,NULL,1795310610,1795310610);
CREATE TABLE mail (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- To whom: the address is the account's when it is sent.
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- The same at each attempt, so that what arrives twice can be told.
  message_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE migration (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT;
INSERT INTO "migration" VALUES('0001_kernel',1795310610);
INSERT INTO "migration" VALUES('0002_users',1795310610);
INSERT INTO "migration" VALUES('0003_access',1795310610);
INSERT INTO "migration" VALUES('0004_repos',1795310610);
INSERT INTO "migration" VALUES('0005_refs',1795310610);
INSERT INTO "migration" VALUES('0006_public_keys',1795310610);
INSERT INTO "migration" VALUES('0007_orgs',1795310610);
INSERT INTO "migration" VALUES('0008_star_counts',1795310610);
INSERT INTO "migration" VALUES('0010_teams',1795310610);
INSERT INTO "migration" VALUES('0011_deploy_keys',1795310610);
INSERT INTO "migration" VALUES('0012_webhooks',1795310610);
INSERT INTO "migration" VALUES('0013_follows',1795310610);
INSERT INTO "migration" VALUES('0014_blocks',1795310610);
INSERT INTO "migration" VALUES('0015_watches',1795310610);
INSERT INTO "migration" VALUES('0016_activity',1795310610);
INSERT INTO "migration" VALUES('0017_gpg_keys',1795310610);
INSERT INTO "migration" VALUES('0018_avatars',1795310610);
INSERT INTO "migration" VALUES('0019_badges',1795310610);
INSERT INTO "migration" VALUES('0020_labels',1795310610);
INSERT INTO "migration" VALUES('0021_mail',1795310610);
INSERT INTO "migration" VALUES('0022_purges',1795310610);
INSERT INTO "migration" VALUES('0023_repo_counts',1795310610);
INSERT INTO "migration" VALUES('0024_team_visibility',1795310610);
INSERT INTO "migration" VALUES('0025_webhook_makers',1795310610);
INSERT INTO "migration" VALUES('0026_email_claims',1795310610);
CREATE TABLE org_member (
  org_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  is_owner INTEGER NOT NULL DEFAULT 0,
  -- Whether others may know of the membership: each member's own choice.
  is_public INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, user_id)
) STRICT;
INSERT INTO "org_member" VALUES(3,1,1,0);
CREATE TABLE organization (
  id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  repo_admin_change_team_access INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "organization" VALUES(3,0);
CREATE TABLE public_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Whose key it is; NULL: deploy keys share it, see 0011_deploy_keys.sql.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- Empty for deploy keys, which have titles of their own.
  title TEXT NOT NULL,
  -- `SHA256:…`, as `ssh-keygen -l` prints it.
  fingerprint TEXT NOT NULL UNIQUE,
  -- `type base64 [comment]`, one line.
  content TEXT NOT NULL,
  is_read_only INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (user_id, title)
) STRICT;
CREATE TABLE purge (
  owner_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  -- Who asked for it; their account may be gone by now.
  actor_id INTEGER NOT NULL,
  -- Repositories made after the request are kept.
  last_repo_id INTEGER NOT NULL,
  -- 1: the account itself goes too.
  takes_account INTEGER NOT NULL
) STRICT;
CREATE TABLE ref (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  oid TEXT NOT NULL,
  -- What an annotated tag finally points to.
  peeled TEXT,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO "ref" VALUES(3,'refs/heads/main','6150f6ad441e5328d700468b022f5603f9dd22b3',NULL);
CREATE TABLE ref_state (
  repo_id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  -- Counts up with each change of a ref.
  version INTEGER NOT NULL DEFAULT 0,
  -- The version that packed-refs on disk was written from.
  written_version INTEGER NOT NULL DEFAULT 0,
  -- 1 when every stored object is reachable from a ref: a full clone may copy the packs as they lie.
  is_exact INTEGER NOT NULL DEFAULT 1
) STRICT;
INSERT INTO "ref_state" VALUES(3,1,0,1);
CREATE TABLE reflog (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  old_oid TEXT NOT NULL,
  new_oid TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "reflog" VALUES(1,3,'refs/heads/main','0000000000000000000000000000000000000000','6150f6ad441e5328d700468b022f5603f9dd22b3',1,'commit (initial): Initial commit',1795310610);
CREATE TABLE removed_repository (
  id INTEGER PRIMARY KEY,
  removed_at INTEGER NOT NULL
) STRICT;
CREATE TABLE repository (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES user (id),
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  website TEXT NOT NULL DEFAULT '',
  default_branch TEXT NOT NULL,
  object_format TEXT NOT NULL DEFAULT 'sha1',
  trust_model TEXT NOT NULL DEFAULT 'default',
  is_private INTEGER NOT NULL DEFAULT 0,
  is_template INTEGER NOT NULL DEFAULT 0,
  is_mirror INTEGER NOT NULL DEFAULT 0,
  -- No branch has ever been pushed.
  is_empty INTEGER NOT NULL DEFAULT 1,
  archived_at INTEGER,
  fork_of INTEGER REFERENCES repository (id) ON DELETE SET NULL,
  mirror_interval TEXT NOT NULL DEFAULT '',
  enable_prune INTEGER NOT NULL DEFAULT 1,
  -- Settings of Gitea's repository record that nothing is joined on, as JSON; see repos/settings.ts.
  settings TEXT NOT NULL DEFAULT '{}',
  -- Bytes on disk, derived.
  size_bytes INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, avatar TEXT NOT NULL DEFAULT '', star_count INTEGER NOT NULL DEFAULT 0, watch_count INTEGER NOT NULL DEFAULT 0, branch_count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (owner_id, lower_name)
) STRICT;
INSERT INTO "repository" VALUES(1,1,'engine','engine','','','main','sha1','default',0,0,0,1,NULL,NULL,'',1,'{}',0,1795310610,1795310610,'',1,2,0);
INSERT INTO "repository" VALUES(2,2,'notes','notes','','','main','sha1','default',1,0,0,1,NULL,NULL,'',1,'{}',0,1795310610,1795310610,'',0,1,0);
INSERT INTO "repository" VALUES(3,3,'shared','shared','','','main','sha1','default',0,0,0,0,NULL,NULL,'',1,'{}',207,1795310610,1795310610,'',0,1,1);
CREATE TABLE repository_redirect (
  owner_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  lower_name TEXT NOT NULL,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  PRIMARY KEY (owner_id, lower_name)
) STRICT;
CREATE TABLE reserved_email (
  lower_email TEXT PRIMARY KEY,
  lower_name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE reserved_name (
  lower_name TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('deleted', 'renamed', 'blocked')),
  -- A renamed account's id: its old name leads there, and only it may take the name back.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE star (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, repo_id)
) STRICT;
INSERT INTO "star" VALUES(2,1,1795310610);
CREATE TABLE team (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  org_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  -- `admin` and `owner` hold for all units; otherwise it sums up team_unit: the least level there is.
  permission TEXT NOT NULL CHECK (permission IN ('none', 'read', 'write', 'admin', 'owner')),
  includes_all_repositories INTEGER NOT NULL DEFAULT 0,
  can_create_org_repo INTEGER NOT NULL DEFAULT 0, visibility TEXT NOT NULL DEFAULT 'private' CHECK (visibility IN ('public', 'limited', 'private')),
  UNIQUE (org_id, lower_name)
) STRICT;
INSERT INTO "team" VALUES(1,3,'Owners','owners','','owner',1,1,'private');
CREATE TABLE team_member (
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  org_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "team_member" VALUES(1,3,1);
CREATE TABLE team_repo (
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, repo_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_unit (
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  -- Gitea's name of the unit, without `repo.`.
  unit TEXT NOT NULL,
  level TEXT NOT NULL CHECK (level IN ('read', 'write')),
  PRIMARY KEY (team_id, unit)
) STRICT, WITHOUT ROWID;
CREATE TABLE topic (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (repo_id, name)
) STRICT;
INSERT INTO "topic" VALUES(1,'steam');
CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'organization')),
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL DEFAULT '',
  -- The primary address; all addresses are rows of email_address.
  email TEXT NOT NULL,
  -- argon2id; empty: no password sign-in.
  password_hash TEXT NOT NULL DEFAULT '',
  must_change_password INTEGER NOT NULL DEFAULT 0,
  login_source INTEGER NOT NULL DEFAULT 0,
  login_name TEXT NOT NULL DEFAULT '',
  is_admin INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_restricted INTEGER NOT NULL DEFAULT 0,
  prohibit_login INTEGER NOT NULL DEFAULT 0,
  visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'limited', 'private')),
  website TEXT NOT NULL DEFAULT '',
  location TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  pronouns TEXT NOT NULL DEFAULT '',
  language TEXT NOT NULL DEFAULT '',
  allow_create_organization INTEGER NOT NULL DEFAULT 1,
  max_repo_creation INTEGER NOT NULL DEFAULT -1,
  hide_email INTEGER NOT NULL DEFAULT 0,
  hide_activity INTEGER NOT NULL DEFAULT 0,
  theme TEXT NOT NULL DEFAULT '',
  diff_view_style TEXT NOT NULL DEFAULT '',
  -- Repositories starred, derived; see 0008_star_counts.sql.
  star_count INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_login_at INTEGER
, follower_count INTEGER NOT NULL DEFAULT 0, following_count INTEGER NOT NULL DEFAULT 0, avatar TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "user" VALUES(1,'person','ada','ada','','ada@example.org','',0,0,'',1,1,0,0,'public','','','','','',1,-1,0,0,'','',0,1795310610,1795310610,NULL,1,0,'');
INSERT INTO "user" VALUES(2,'person','bob','bob','','bob@example.org','',0,0,'',0,1,0,0,'public','','','','','',1,-1,0,0,'','',1,1795310610,1795310610,NULL,0,1,'');
INSERT INTO "user" VALUES(3,'organization','lab','lab','','','',0,0,'',0,1,0,0,'public','','','','','',1,-1,0,0,'','',0,1795310610,1795310610,NULL,0,0,'');
CREATE TABLE user_badge (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  badge_id INTEGER NOT NULL REFERENCES badge (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, badge_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE watch (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  -- 'normal': asked for; 'auto': began with something else the person did there; 'ignored': no longer, and not to begin by itself again.
  mode TEXT NOT NULL DEFAULT 'normal' CHECK (mode IN ('normal', 'auto', 'ignored')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, repo_id)
) STRICT;
INSERT INTO "watch" VALUES(1,1,'normal',1795310610);
INSERT INTO "watch" VALUES(2,2,'normal',1795310610);
INSERT INTO "watch" VALUES(2,1,'normal',1795310610);
INSERT INTO "watch" VALUES(1,3,'normal',1795310610);
CREATE TABLE webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER REFERENCES repository (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- Of the site's: 1 is told of everything, 0 is a model that new repositories get a copy of.
  is_system INTEGER NOT NULL DEFAULT 0,
  -- Who made it: a repository's hooks stop when they lose its administration.
  creator_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  url TEXT NOT NULL,
  content_type TEXT NOT NULL CHECK (content_type IN ('json', 'form')),
  -- Signs deliveries; never shown.
  secret TEXT NOT NULL DEFAULT '',
  -- The Authorization header of deliveries; never shown.
  authorization TEXT NOT NULL DEFAULT '',
  -- Names of webhooks/event-names.ts, as a JSON array.
  events TEXT NOT NULL,
  -- A glob that branches must match; empty: all do.
  branch_filter TEXT NOT NULL DEFAULT '',
  -- What the type needs besides (Slack's channel …), as JSON.
  settings TEXT NOT NULL DEFAULT '{}',
  is_active INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (repo_id IS NULL OR owner_id IS NULL)
) STRICT;
INSERT INTO "webhook" VALUES(1,1,NULL,0,1,'gitea','','http://example.org/','json','','','["push"]','','{}',1,1795310610,1795310610);
CREATE INDEX event_repo ON event (repo_id, id);
CREATE INDEX event_age ON event (created_at);
CREATE INDEX user_kind ON user (kind, visibility);
CREATE INDEX repository_updated ON repository (updated_at);
CREATE INDEX repository_created ON repository (created_at);
CREATE INDEX repository_name ON repository (lower_name);
CREATE INDEX repository_sight ON repository (is_private, owner_id, settings);
CREATE INDEX user_hidden ON user (visibility) WHERE visibility <> 'public';
CREATE INDEX repository_fork ON repository (fork_of);
CREATE INDEX collaboration_user ON collaboration (user_id);
CREATE INDEX topic_name ON topic (name);
CREATE INDEX reflog_ref ON reflog (repo_id, name, id);
CREATE INDEX org_member_user ON org_member (user_id);
CREATE TRIGGER star_added AFTER INSERT ON star BEGIN
  UPDATE user SET star_count = star_count + 1 WHERE id = NEW.user_id;
END;
CREATE TRIGGER star_removed AFTER DELETE ON star BEGIN
  UPDATE user SET star_count = star_count - 1 WHERE id = OLD.user_id;
END;
CREATE INDEX team_member_user ON team_member (user_id, org_id);
CREATE INDEX team_member_org ON team_member (org_id);
CREATE INDEX team_repo_repo ON team_repo (repo_id);
CREATE TRIGGER team_repo_owner AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM team_repo WHERE repo_id = NEW.id;
END;
CREATE TRIGGER team_joined AFTER INSERT ON team_member BEGIN
  INSERT INTO org_member (org_id, user_id, is_owner)
  VALUES (NEW.org_id, NEW.user_id, (SELECT permission = 'owner' FROM team WHERE id = NEW.team_id))
  ON CONFLICT (org_id, user_id) DO UPDATE SET is_owner = max(is_owner, excluded.is_owner);
END;
CREATE TRIGGER team_left AFTER DELETE ON team_member BEGIN
  DELETE FROM org_member WHERE org_id = OLD.org_id AND user_id = OLD.user_id
    AND NOT EXISTS (SELECT 1 FROM team_member WHERE user_id = OLD.user_id AND org_id = OLD.org_id);
  UPDATE org_member SET is_owner = EXISTS (
    SELECT 1 FROM team_member JOIN team ON team.id = team_member.team_id
    WHERE team_member.user_id = OLD.user_id AND team_member.org_id = OLD.org_id AND permission = 'owner'
  ) WHERE org_id = OLD.org_id AND user_id = OLD.user_id;
END;
CREATE INDEX deploy_key_key ON deploy_key (key_id);
CREATE TRIGGER deploy_key_removed AFTER DELETE ON deploy_key
WHEN NOT EXISTS (SELECT 1 FROM deploy_key WHERE key_id = OLD.key_id) BEGIN
  DELETE FROM public_key WHERE id = OLD.key_id;
END;
CREATE INDEX webhook_holder ON webhook (repo_id, owner_id);
CREATE INDEX webhook_owner ON webhook (owner_id);
CREATE INDEX webhook_creator ON webhook (creator_id);
CREATE INDEX follow_followed ON follow (followed_id, follower_id);
CREATE TRIGGER follow_added AFTER INSERT ON follow BEGIN
  UPDATE user SET following_count = following_count + 1 WHERE id = NEW.follower_id;
  UPDATE user SET follower_count = follower_count + 1 WHERE id = NEW.followed_id;
END;
CREATE TRIGGER follow_removed AFTER DELETE ON follow BEGIN
  UPDATE user SET following_count = following_count - 1 WHERE id = OLD.follower_id;
  UPDATE user SET follower_count = follower_count - 1 WHERE id = OLD.followed_id;
END;
CREATE INDEX block_blocked ON block (blocked_id);
CREATE INDEX watch_repo ON watch (repo_id, user_id, mode);
CREATE INDEX activity_actor ON activity (actor_id, created_at, repo_id);
CREATE INDEX activity_repo ON activity (repo_id, created_at, actor_id);
CREATE INDEX activity_unread ON activity (id) WHERE content IS NULL;
CREATE UNIQUE INDEX gpg_key_primary ON gpg_key (key_id) WHERE primary_id IS NULL;
CREATE INDEX gpg_key_user ON gpg_key (user_id, key_id);
CREATE INDEX gpg_key_subkeys ON gpg_key (primary_id) WHERE primary_id IS NOT NULL;
CREATE UNIQUE INDEX user_avatar ON user (avatar) WHERE avatar <> '';
CREATE UNIQUE INDEX repository_avatar ON repository (avatar) WHERE avatar <> '';
CREATE INDEX user_badge_badge ON user_badge (badge_id);
CREATE INDEX label_repo ON label (repo_id, name);
CREATE INDEX label_org ON label (org_id, name);
CREATE INDEX mail_due ON mail (next_attempt_at);
CREATE INDEX mail_user ON mail (user_id);
CREATE INDEX repository_redirect_repo ON repository_redirect (repo_id);
CREATE TRIGGER repository_starred AFTER INSERT ON star BEGIN
  UPDATE repository SET star_count = star_count + 1 WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_unstarred AFTER DELETE ON star BEGIN
  UPDATE repository SET star_count = star_count - 1 WHERE id = OLD.repo_id;
END;
CREATE TRIGGER repository_watched AFTER INSERT ON watch BEGIN
  UPDATE repository SET watch_count = watch_count + (NEW.mode <> 'ignored') WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_watch_changed AFTER UPDATE OF mode ON watch BEGIN
  UPDATE repository SET watch_count = watch_count + (NEW.mode <> 'ignored') - (OLD.mode <> 'ignored') WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_unwatched AFTER DELETE ON watch BEGIN
  UPDATE repository SET watch_count = watch_count - (OLD.mode <> 'ignored') WHERE id = OLD.repo_id;
END;
CREATE INDEX star_repo ON star (repo_id, user_id);
CREATE TRIGGER webhook_models AFTER INSERT ON repository BEGIN
  INSERT INTO webhook (repo_id, creator_id, type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active, created_at, updated_at)
  SELECT NEW.id, creator_id, type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active, NEW.created_at, NEW.created_at
  FROM webhook WHERE repo_id IS NULL AND owner_id IS NULL AND is_system = 0;
END;
CREATE UNIQUE INDEX email_address_verified ON email_address (lower_email) WHERE is_verified = 1;
CREATE INDEX email_address_lower ON email_address (lower_email);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('team',1);
INSERT INTO "sqlite_sequence" VALUES('email_address',3);
INSERT INTO "sqlite_sequence" VALUES('user',3);
INSERT INTO "sqlite_sequence" VALUES('access_token',2);
INSERT INTO "sqlite_sequence" VALUES('webhook',1);
INSERT INTO "sqlite_sequence" VALUES('repository',3);
INSERT INTO "sqlite_sequence" VALUES('event',3);
INSERT INTO "sqlite_sequence" VALUES('reflog',1);
INSERT INTO "sqlite_sequence" VALUES('label',1);
COMMIT;
