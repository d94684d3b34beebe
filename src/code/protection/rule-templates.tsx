import type { RepoAccess } from '#access/index.ts'
import { ActionButton, Choice, EditForm, Empty, Radios, RepoSettingsFrame, SubmitButton, TextArea, TextField, Trouble, type Visit } from '#web/index.ts'
import type { RuleBox, RuleForm, RuleList } from './rule-form.ts'
import type { BranchRule } from './store.ts'

interface Place {
  visit: Visit
  repo: RepoAccess
}

export function rulesAddress({ visit, repo }: Place): string {
  return visit.to`/${repo.owner.name}/${repo.row.name}/settings/branches`
}

/** @param rules in the order in which they are asked */
export function RulesPage({ visit, repo, rules, error }: Place & { rules: readonly BranchRule[]; error?: string | undefined }) {
  const address = rulesAddress({ visit, repo })
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="branches">
      <p>Rules are matched from top to bottom. The first rule that matches a branch applies to it.</p>
      <Trouble text={error} />
      {rules.length === 0 && <Empty visit={visit} icon="git-branch" title="No branch protection rules yet" />}
      {rules.length > 0 && (
        <ol class="list">
          {rules.map((rule, i) => (
            <li class="bar">
              <a href={editAddress(address, rule.rule_name)}>{rule.rule_name}</a>
              <div class="buttons">
                {i > 0 && (
                  <ActionButton action={`${address}/earlier`} to={rule.rule_name} name="rule_name" value={rule.rule_name}>
                    Move up
                  </ActionButton>
                )}
                <ActionButton action={`${address}/delete`} to={rule.rule_name} name="rule_name" value={rule.rule_name} isDanger>
                  Delete rule
                </ActionButton>
              </div>
            </li>
          ))}
        </ol>
      )}
      <p>
        <a class="button" href={`${address}/new`}>
          New rule
        </a>
      </p>
    </RepoSettingsFrame>
  )
}

function editAddress(address: string, name: string): string {
  return `${address}/edit?rule_name=${encodeURIComponent(name)}`
}

interface RuleProps extends Place {
  form: RuleForm
  isNew: boolean
  error: string | undefined
}

export function RulePage({ visit, repo, form, isNew, error }: RuleProps) {
  const address = rulesAddress({ visit, repo })
  const hasTeams = repo.owner.kind === 'organization'
  const list = (users: RuleList, teams: RuleList) => <Names form={form} users={users} teams={hasTeams ? teams : undefined} />
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="branches">
      <h3>{isNew ? 'New rule' : `Rule for ${form.rule_name}`}</h3>
      <EditForm class="fields" action={isNew ? address : `${address}/edit`} isNew={isNew}>
        <Trouble text={error} />
        {isNew ? (
          <TextField name="rule_name" label="Branch name pattern (main, release/*, **)" value={form.rule_name} most={255} isRequired isExact />
        ) : (
          <input type="hidden" name="rule_name" value={form.rule_name} />
        )}
        <Radios name="pushing" label="Push" options={pushers} selected={form.pushing}>
          {list('push_whitelist_usernames', 'push_whitelist_teams')}
          <Box form={form} name="push_whitelist_deploy_keys" label="Include deploy keys with write access in the push list" />
        </Radios>
        <Radios name="force_pushing" label="Force push" options={pushers} selected={form.force_pushing}>
          {list('force_push_allowlist_usernames', 'force_push_allowlist_teams')}
          <Box form={form} name="force_push_allowlist_deploy_keys" label="Include deploy keys with write access in the force-push list" />
        </Radios>
        <Radios name="merging" label="Merge pull requests" options={mergers} selected={form.merging}>
          {list('merge_whitelist_usernames', 'merge_whitelist_teams')}
        </Radios>
        <TextField name="required_approvals" label="Required approvals" type="number" min={0} max={1_000_000_000} value={form.required_approvals} isRequired />
        <Radios name="approving" label="Approvals that count" options={approvers} selected={form.approving}>
          {list('approvals_whitelist_username', 'approvals_whitelist_teams')}
        </Radios>
        <Conditions form={form} />
        <Radios name="bypassing" label="Bypass list: merge without meeting these rules" options={bypassers} selected={form.bypassing}>
          {list('bypass_allowlist_usernames', 'bypass_allowlist_teams')}
        </Radios>
        <Box form={form} name="block_admin_merge_override" label="Do not allow administrators to bypass these rules" />
        <SubmitButton>{isNew ? 'Create rule' : 'Save rule'}</SubmitButton>
      </EditForm>
    </RepoSettingsFrame>
  )
}

const pushers = [
  ['nobody', 'No one'],
  ['writers', 'Anyone with write access'],
  ['listed', 'Only the users and teams below'],
] as const
const mergers = pushers.slice(1) as [(typeof pushers)[1], (typeof pushers)[2]]
const approvers = [
  ['writers', 'From anyone with write access'],
  ['listed', 'Only from the users and teams below'],
] as const
const bypassers = [
  ['nobody', 'Administrators only'],
  ['listed', 'Administrators and the users and teams below'],
] as const

/** What holds of a pull request before it is merged, and of pushes. */
function Conditions({ form }: { form: RuleForm }) {
  return (
    <>
      <Box form={form} name="block_on_rejected_reviews" label="Block merge while a reviewer requests changes" />
      <Box form={form} name="block_on_official_review_requests" label="Block merge until all requested reviewers have reviewed" />
      <Box form={form} name="block_on_outdated_branch" label="Block merge if the pull request is out of date with its base branch" />
      <Box form={form} name="dismiss_stale_approvals" label="Dismiss stale approvals when new commits are pushed" />
      <Box form={form} name="ignore_stale_approvals" label="Ignore stale approvals (approvals of older commits)" />
      <Box form={form} name="enable_status_check" label="Require status checks to succeed" />
      <TextArea
        name="checks"
        label="Status check patterns (one per line; leave empty to require all reported checks)"
        value={form.checks}
        rows={3}
        most={52_000}
        isExact
      />
      <Box form={form} name="require_signed_commits" label="Require signed commits" />
      <TextField
        name="protected_file_patterns"
        label="Protected file patterns that no one can change (separated by semicolons: *.lock;docs/**)"
        value={form.protected_file_patterns}
        most={4096}
        isExact
      />
      <TextField
        name="unprotected_file_patterns"
        label="Unprotected file patterns that anyone with write access can push (separated by semicolons)"
        value={form.unprotected_file_patterns}
        most={4096}
        isExact
      />
    </>
  )
}

function Box({ form, name, label }: { form: RuleForm; name: RuleBox; label: string }) {
  return <Choice name={name} label={label} isOn={form[name] === true} />
}

/** Whom a choice lists. @param teams absent where the owner has none */
function Names({ form, users, teams }: { form: RuleForm; users: RuleList; teams: RuleList | undefined }) {
  return (
    <>
      <TextField name={users} label="Users (comma-separated)" value={form[users]?.join(', ')} isExact />
      {teams && <TextField name={teams} label="Teams (comma-separated)" value={form[teams]?.join(', ')} isExact />}
    </>
  )
}
