-- The addresses of a deleted account are listed and released with its name.
CREATE INDEX reserved_email_name ON reserved_email (lower_name);
