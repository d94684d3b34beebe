-- They are few, and looked for wherever one could be the last.
CREATE INDEX user_administrator ON user (id) WHERE is_admin = 1;
