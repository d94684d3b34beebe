import { Avatar, type Child, Icon, type IconName, LabelMark, Time, type Visit } from '#web/index.ts'
import type { ThreadEntry } from '#work/comments/index.ts'

interface Props {
  visit: Visit
  entry: ThreadEntry
  /** Where the repository is, and the pull request that it happened to, if it is one. */
  home: string
  pull: string
  /** What a review came to. */
  verdict: string | undefined
  /** The entry that tells of the commit by which it was closed: where that is. */
  mention?: ThreadEntry | undefined
}

/** One line for what happened, such as who closed it when. */
export function Happening({ visit, entry, home, pull, verdict, mention }: Props) {
  const told = entry.type === 'review' && verdict !== undefined ? verdict : sentence(visit, entry, { home, pull, mention })
  if (told === undefined) return null
  const [icon, tone] = signs[entry.type] ?? ['dot-fill', '']
  return (
    <div class="happening" id={`issuecomment-${entry.id}`}>
      <span class={`sign ${tone}`}>
        <Icon visit={visit} name={icon} />
      </span>
      <p>
        <Avatar visit={visit} of={entry.user} /> <a href={visit.to`/${entry.user.login}`}>{entry.user.login}</a> {told}{' '}
        <Time at={Date.parse(entry.created_at) / 1000} />
      </p>
    </div>
  )
}

type At = Pick<Props, 'home' | 'pull' | 'mention'>
type Tell = (entry: ThreadEntry, visit: Visit, at: At) => Child

const other = ({ ref_issue: issue, dependent_issue: dependent }: ThreadEntry): Child => {
  const one = issue ?? dependent
  return one ? <a href={one.html_url}>{`${one.repository.full_name}#${one.number} ${one.title}`}</a> : 'another issue'
}

const days = (text: string) => text.split('|').map((one) => one.slice(0, 10))

/** By type of entry: what stands before its line, and in which colour. */
const signs: Partial<Record<string, readonly [icon: IconName, tone: 'good' | 'done' | 'bad' | '']>> = {
  close: ['issue-closed', 'done'],
  reopen: ['issue-opened', 'good'],
  issue_ref: ['link', ''],
  comment_ref: ['link', ''],
  pull_ref: ['git-pull-request', ''],
  commit_ref: ['git-commit', ''],
  label: ['tag', ''],
  milestone: ['milestone', ''],
  assignees: ['person', ''],
  change_title: ['pencil', ''],
  start_tracking: ['clock', ''],
  stop_tracking: ['clock', ''],
  add_time_manual: ['clock', ''],
  added_deadline: ['calendar', ''],
  modified_deadline: ['calendar', ''],
  removed_deadline: ['calendar', ''],
  add_dependency: ['link', ''],
  lock: ['lock', ''],
  unlock: ['unlock', ''],
  change_issue_ref: ['git-branch', ''],
  pin: ['pin', ''],
  unpin: ['pin', ''],
  delete_branch: ['git-branch', ''],
  change_target_branch: ['git-branch', ''],
  pull_push: ['git-commit', ''],
  merge_pull: ['git-merge', 'done'],
  review: ['eye', ''],
  review_request: ['eye', ''],
  dismiss_review: ['x', ''],
  pull_scheduled_merge: ['clock', ''],
}

/** By type of entry; those that are not here need no line. */
const sentences: Partial<Record<string, Tell>> = {
  close: (entry, visit, { mention }) => (entry.ref_commit_sha === '' ? 'closed this' : <>closed this in commit {linkedCommit(mention ?? entry, visit)}</>),
  reopen: () => 'reopened this',
  issue_ref: (entry) => <>referenced this in {other(entry)}</>,
  comment_ref: (entry) => <>referenced this in {other(entry)}</>,
  pull_ref: (entry) => <>referenced this in {other(entry)}</>,
  commit_ref: (entry, visit) => <>referenced this in commit {linkedCommit(entry, visit)}</>,
  label: ({ label, body }) =>
    label && (
      <>
        {body === '1' ? 'added' : 'removed'} the label {<LabelMark label={label} />}
      </>
    ),
  milestone: ({ milestone, old_milestone: before }) =>
    milestone ? (
      <>added this to the milestone {<strong>{milestone.title}</strong>}</>
    ) : before ? (
      `removed this from the milestone ${before.title}`
    ) : (
      'changed the milestone'
    ),
  assignees: ({ user, assignee, removed_assignee }) =>
    assignee &&
    (user.id === assignee.id
      ? removed_assignee
        ? 'removed their assignment'
        : 'self-assigned this'
      : `${removed_assignee ? 'unassigned' : 'assigned this to'} ${assignee.login}`),
  change_title: ({ old_title, new_title }) => (
    <>
      changed the title from {<del>{old_title}</del>} to {<strong>{new_title}</strong>}
    </>
  ),
  start_tracking: () => 'started working on this',
  stop_tracking: ({ body }) => `worked on this for ${body}`,
  add_time_manual: ({ body }) => `added ${body} of time spent`,
  cancel_tracking: () => 'discarded the timer',
  delete_time_manual: ({ body }) => `deleted ${body} of time spent`,
  added_deadline: ({ body }) => `set the due date to ${days(body)[0]}`,
  modified_deadline: ({ body }) => `changed the due date to ${days(body)[0]}`,
  removed_deadline: () => 'removed the due date',
  add_dependency: (entry) => <>added a dependency between this and {other(entry)}</>,
  remove_dependency: (entry) => <>removed the dependency between this and {other(entry)}</>,
  lock: ({ body }) => (body === '' ? 'locked the conversation' : `locked the conversation as ${body}`),
  unlock: () => 'unlocked the conversation',
  change_issue_ref: ({ new_ref }) => (new_ref === '' ? 'removed the branch reference' : `set the branch reference to ${new_ref}`),
  pin: () => 'pinned this',
  unpin: () => 'unpinned this',
  delete_branch: ({ old_ref }) => (old_ref === '' ? 'deleted the branch' : <>deleted the branch {<code>{old_ref}</code>}</>),
  change_target_branch: ({ old_ref, new_ref }) => (
    <>
      changed the base branch from {<code>{old_ref}</code>} to {<code>{new_ref}</code>}
    </>
  ),
  pull_push: ({ body }, _, at) => toldOf(pushIn(body), at),
  merge_pull: ({ ref_commit_sha: sha }, _, at) => (sha === '' ? 'merged this' : <>merged this in commit {commitAt(at, sha)}</>),
  review: () => 'reviewed this',
  review_request: ({ user, assignee, assignee_team: team, removed_assignee }) =>
    user.id === assignee?.id
      ? `${removed_assignee ? 'removed' : 'added'} themselves as a reviewer`
      : `${removed_assignee ? 'removed the review request for' : 'requested a review from'} ${assignee?.login ?? team?.name ?? 'a team'}`,
  dismiss_review: () => 'dismissed a review',
  pull_scheduled_merge: () => 'enabled auto-merge',
  pull_cancel_scheduled_merge: () => 'disabled auto-merge',
}

function sentence(visit: Visit, entry: ThreadEntry, at: At): Child {
  return Object.hasOwn(sentences, entry.type) ? sentences[entry.type]?.(entry, visit, at) : undefined
}

function commitAt({ home }: Pick<At, 'home'>, sha: string): Child {
  return (
    <a href={`${home}/commit/${sha}`}>
      <code>{sha.slice(0, 10)}</code>
    </a>
  )
}

/** The commit may be in another repository: where it is stands in the text of the entry, with what it says. */
function linkedCommit({ body, ref_commit_sha: sha }: ThreadEntry, visit: Visit): Child {
  const [, owner, repo] = /^<a href="[^"]*?\/([^/"]+)\/([^/"]+)\/commit\/[0-9a-f]+">/.exec(body) ?? []
  const short = sha.slice(0, 10)
  if (owner === undefined || repo === undefined) return <code>{short}</code>
  return (
    <a href={visit.to`/${decodeURIComponent(owner)}/${decodeURIComponent(repo)}/commit/${sha}`}>
      <code>{short}</code>
    </a>
  )
}

interface Push {
  is_force_push: boolean
  commit_ids: string[]
}

/** What an entry says of a push, as Gitea has it. */
function pushIn(body: string): Push | undefined {
  try {
    return JSON.parse(body) as Push
  } catch {
    return undefined
  }
}

function toldOf(push: Push | undefined, { home, pull }: At): Child {
  const [before = '', after = before] = push?.commit_ids ?? []
  if (push?.is_force_push !== true) return after === '' ? 'pushed commits' : <>pushed commits up to {commitAt({ home }, after)}</>
  return (
    <>
      force-pushed from {<code>{before.slice(0, 10)}</code>} to {<code>{after.slice(0, 10)}</code>} (
      {<a href={`${pull}/versions?from=${before}&to=${after}`}>compare</a>})
    </>
  )
}
