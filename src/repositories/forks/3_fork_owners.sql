-- An account's fork is found without a look at those of others.
DROP INDEX repository_fork;
CREATE INDEX repository_fork ON repository (fork_of, owner_id);
