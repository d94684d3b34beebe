-- Forks that have forks themselves, which are few.
CREATE INDEX repository_forked_fork ON repository (fork_of) WHERE fork_count > 0;
