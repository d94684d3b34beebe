-- The search in all repositories asks for labels by their names.
CREATE INDEX label_name ON label (name);
