-- Nobody checked whether the writers of these references may close or reopen issues in other repositories.
UPDATE comment SET ref_action = 'neutered'
WHERE type = 'pull_ref' AND ref_action IN ('closes', 'reopens') AND ref_issue_id IS NOT NULL
  AND repo_id <> (SELECT issue.repo_id FROM issue WHERE issue.id = ref_issue_id);
