-- What a site administrator may hand to people, for show.
CREATE TABLE badge (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL DEFAULT '',
  image_url TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE user_badge (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  badge_id INTEGER NOT NULL REFERENCES badge (id) ON DELETE CASCADE,
  PRIMARY KEY (user_id, badge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX user_badge_badge ON user_badge (badge_id);
