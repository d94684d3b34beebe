import { Icon, type Visit } from '#web/index.ts'
import type { Dependencies, OtherIssue, ThreadView } from './view.ts'

interface Props {
  visit: Visit
  view: ThreadView
  address: string
  dependencies: Dependencies
}

/** What has to be done before the issue, and what after it. */
export function DependencyPanel({ visit, view, address, dependencies: { waits, blocks, mayChange } }: Props) {
  if (waits.length + blocks.length === 0 && !mayChange) return null
  const lists = [
    { title: 'Blocked by', issues: waits, drop: 'not-wait' },
    { title: 'Blocks', issues: blocks, drop: 'not-block' },
  ]
  return (
    <section>
      {lists
        .filter(({ issues }, i) => issues.length > 0 || i === 0)
        .map(({ title, issues, drop }) => (
          <>
            <h2>{title}</h2>
            {issues.length === 0 && (
              <p>
                <span class="faint">None</span>
              </p>
            )}
            {issues.map((one) => (
              <Other visit={visit} view={view} address={address} other={one} drop={mayChange ? drop : undefined} />
            ))}
          </>
        ))}
      {mayChange && <DependencyForm visit={visit} address={address} />}
    </section>
  )
}

function Other({ visit, view, address, other, drop }: Omit<Props, 'dependencies'> & { other: OtherIssue; drop: string | undefined }) {
  const { owner, repo, number, title, isClosed, isPull } = other
  const isHere = owner === view.repo.owner.name && repo === view.repo.row.name
  const name = isHere ? `#${number}` : `${owner}/${repo}#${number}`
  const closed = isPull ? 'git-pull-request-closed' : 'issue-closed'
  const open = isPull ? 'git-pull-request' : 'issue-opened'
  return (
    <form class="bar" method="post" action={`${address}/dependencies`}>
      <a href={visit.to`/${owner}/${repo}/${isPull ? 'pulls' : 'issues'}/${number}`}>
        <Icon visit={visit} name={isClosed ? closed : open} label={isClosed ? 'Closed' : 'Open'} /> {`${name} ${title}`}
      </a>
      {drop && (
        <button type="submit" name="action" value={drop} aria-label={`Remove ${name}`}>
          <Icon visit={visit} name="x" />
        </button>
      )}
      {drop && <input type="hidden" name="other" value={`${owner}/${repo}#${number}`} />}
    </form>
  )
}

function DependencyForm({ visit, address }: Pick<Props, 'visit' | 'address'>) {
  return (
    <details>
      <summary>
        <Icon visit={visit} name="link" />
        Add dependency
      </summary>
      <form class="fields" method="post" action={`${address}/dependencies`}>
        <label>
          Issue or pull request
          <input name="other" placeholder="#12 or owner/repository#12" maxlength="500" required />
        </label>
        <div class="buttons">
          <button type="submit" name="action" value="wait">
            Mark as blocked by
          </button>
          <button type="submit" name="action" value="block">
            Mark as blocking
          </button>
        </div>
      </form>
    </details>
  )
}
