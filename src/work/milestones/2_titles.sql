-- The search in all repositories asks for milestones by their titles.
CREATE INDEX milestone_title ON milestone (lower(title));
