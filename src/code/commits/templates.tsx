import type { RepoAccess } from '#access/index.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import type { Commit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { type Html, RepoFrame, Time, type Visit } from '#web/index.ts'

interface ListProps {
  visit: Visit
  repo: RepoAccess
  commits: readonly CommitDetails[]
}

export function CommitList({ visit, repo: { owner, row }, commits }: ListProps) {
  return (
    <ul class="list">
      {commits.map(({ oid, commit }) => (
        <li>
          <a href={visit.to`/${owner.name}/${row.name}/commit/${oid}`}>{subjectOf(commit)}</a>
          <p class="faint">
            <code>{oid.slice(0, 10)}</code> {commit.author.name}, <Time at={commit.author.seconds} />
          </p>
        </li>
      ))}
    </ul>
  )
}

interface CommitProps {
  visit: Visit
  repo: RepoAccess
  oid: Oid
  commit: Commit
  changes: Html
}

export function CommitPage({ visit, repo, oid, commit, changes }: CommitProps) {
  const { owner, row } = repo
  const [subject, ...body] = commit.message.trimEnd().split('\n')
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title={subject ?? oid}>
      <h2>{subject || '(no message)'}</h2>
      {body.length > 0 && <pre>{body.join('\n').replace(/^\n+/, '')}</pre>}
      <p class="faint">
        {commit.author.name}, <Time at={commit.author.seconds} /> · commit <code>{oid}</code>
        {commit.parents.map((parent) => [
          ' · parent ',
          <a href={visit.to`/${owner.name}/${row.name}/commit/${parent}`}>
            <code>{parent.slice(0, 10)}</code>
          </a>,
        ])}
      </p>
      <p>
        <a href={visit.to`/${owner.name}/${row.name}/src/commit/${oid}`}>Browse the files</a> ·{' '}
        <a href={visit.to`/${owner.name}/${row.name}/commit/${`${oid}.diff`}`}>Plain diff</a> ·{' '}
        <a href={visit.to`/${owner.name}/${row.name}/commit/${`${oid}.patch`}`}>Patch</a>
      </p>
      {changes}
    </RepoFrame>
  )
}

/** The first line of a message. */
export function subjectOf({ message }: Commit): string {
  return message.trimStart().split('\n', 1)[0] || '(no message)'
}
