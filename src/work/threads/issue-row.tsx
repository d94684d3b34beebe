import { Avatar, type Child, Icon, LabelMark, numberText, Time, type Visit } from '#web/index.ts'
import type { Issue } from '#work/issues/index.ts'
import { StateIcon } from './marks.tsx'

interface Props {
  visit: Visit
  issue: Issue
  href: string
  /** Where what carries a label is listed. */
  labelHref?: (name: string) => string
  /** Whether all of the list are in the same milestone. */
  isInMilestone?: boolean
  /** Names the repository, too. */
  isAnywhere?: boolean
  /** What stands beside the title. */
  note?: Child
  /** Stands before everything else, such as a box to tick. */
  before?: Child
  /** Stands behind everything else, such as a button. */
  after?: Child
  /** Why it is in the list. */
  why?: string
}

/** An issue or a pull request in a list. */
export function IssueRow({ visit, issue, href, labelHref, isAnywhere = false, isInMilestone = false, note, before, after, why }: Props) {
  return (
    <li class="row">
      {before}
      <StateIcon visit={visit} issue={issue} />
      <div class="main">
        <a class="title" dir="auto" href={href}>
          {issue.title}
        </a>{' '}
        {issue.labels.map((one) => [<LabelMark label={one} href={labelHref?.(one.name)} />, ' '])}
        {note}
        <div class="meta faint">
          <span>
            {`${isAnywhere ? (issue.repository?.full_name ?? '') : ''}#${issue.number} ${why === undefined ? '' : `${why} · `}opened `}
            <Time at={Date.parse(issue.created_at) / 1000} /> {'by '}
            <a href={visit.to`/${issue.user.login}`}>{issue.user.login}</a>
          </span>
          {issue.milestone && !isInMilestone && (
            <a href={visit.to`/${issue.repository?.full_name ?? ''}/milestone/${issue.milestone.id}`}>
              <Icon visit={visit} name="milestone" /> {issue.milestone.title}
            </a>
          )}
          {issue.due_date && (
            <span>
              <Icon visit={visit} name="calendar" />
              {'due '}
              <Time at={Date.parse(issue.due_date) / 1000} />
            </span>
          )}
        </div>
      </div>
      <Ends visit={visit} issue={issue} />
      {after}
    </li>
  )
}

/** Who has it to do, and how much was said about it. */
function Ends({ visit, issue: { assignees, comments } }: { visit: Visit; issue: Issue }) {
  if (!assignees && comments === 0) return null
  return (
    <div class="end">
      {assignees && (
        <span title={`Assigned to ${assignees.map(({ login }) => login).join(', ')}`}>
          {assignees.slice(0, 3).map((one) => (
            <Avatar visit={visit} of={one} />
          ))}
          <span class="unseen">{`assigned to ${assignees.map(({ login }) => login).join(', ')}`}</span>
        </span>
      )}
      {comments > 0 && (
        <span>
          <Icon visit={visit} name="comment" />
          {numberText(comments)} <span class="unseen">{comments === 1 ? 'comment' : 'comments'}</span>
        </span>
      )}
    </div>
  )
}
