import type { RepoAccess } from '#access/index.ts'
import type { CommitDetails } from '#git/browse/commit-details.ts'
import { subjectOf as shortSubjectOf } from '#git/browse/shorten.ts'
import type { Commit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { type Html, Icon, RepoFrame, Time, type Visit } from '#web/index.ts'
import type { CoAuthor } from './co-authors.ts'
import type { ContainingRefs } from './containing-refs.ts'
import { MadeBy, SignatureMark, signatureProblem } from './made-by.tsx'
import type { People } from './people.ts'
import type { PayloadCommitVerification } from './schema.ts'

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
          <a dir="auto" href={visit.to`/${owner.name}/${row.name}/commit/${oid}`}>
            {subjectOf(commit)}
          </a>
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
  coAuthors: readonly CoAuthor[]
  changes: Html
  people: People
  verification: PayloadCommitVerification | undefined
  /** Branches and tags that have it in their history. */
  refs: ContainingRefs
  /** What `git notes` has of it. */
  note: string | undefined
  /** Its statuses. */
  checks: Html | undefined
}

export function CommitPage({ visit, repo, oid, commit, coAuthors, changes, people, verification, refs, note, checks }: CommitProps) {
  const { owner, row } = repo
  const [subject, ...body] = commit.message.trimEnd().split('\n')
  return (
    <RepoFrame visit={visit} repo={repo} tab="commits" title={subject ?? oid}>
      <div class="bar">
        <h2 dir="auto">{subject || '(no message)'}</h2>
        <div class="buttons">
          <a class="button primary" href={visit.to`/${owner.name}/${row.name}/src/commit/${oid}`}>
            Browse files
          </a>
          <a class="button" href={visit.to`/${owner.name}/${row.name}/commit/${`${oid}.diff`}`}>
            .diff
          </a>
          <a class="button" href={visit.to`/${owner.name}/${row.name}/commit/${`${oid}.patch`}`}>
            .patch
          </a>
          {visit.viewer.user !== undefined && row.archived_at === null && row.is_mirror === 0 && <ReplayLinks visit={visit} repo={repo} oid={oid} />}
        </div>
      </div>
      {body.length > 0 && <pre dir="auto">{body.join('\n').replace(/^\n+/, '')}</pre>}
      <Makers visit={visit} people={people} commit={commit} coAuthors={coAuthors} />
      <p>
        Commit <code data-copy={oid}>{oid}</code> {verification && <SignatureMark verification={verification} />}
        {commit.parents.map((parent, i) => [
          i === 0 ? (commit.parents.length > 1 ? ' · parents ' : ' · parent ') : ', ',
          <a class="code" href={visit.to`/${owner.name}/${row.name}/commit/${parent}`}>
            {parent.slice(0, 10)}
          </a>,
        ])}
      </p>
      {verification !== undefined && verification.signature !== '' && <Signature verification={verification} />}
      <RefsAt visit={visit} repo={repo} refs={refs} />
      {checks}
      {note !== undefined && (
        <section aria-label="Note">
          <h3>Note</h3>
          <pre>{note}</pre>
        </section>
      )}
      {changes}
    </RepoFrame>
  )
}

/** Pages of another room, which take a commit back or over to another branch. */
function ReplayLinks({ visit, repo: { owner, row }, oid }: Pick<CommitProps, 'visit' | 'repo' | 'oid'>) {
  return (
    <>
      <a class="button" href={visit.to`/${owner.name}/${row.name}/commit/${oid}/revert`}>
        Revert
      </a>
      <a class="button" href={visit.to`/${owner.name}/${row.name}/commit/${oid}/cherry-pick`}>
        Cherry-pick
      </a>
    </>
  )
}

/** Who wrote it, with whom, and who made a commit of it where that is somebody else. */
function Makers({ visit, people, commit: { author, committer }, coAuthors }: Pick<CommitProps, 'visit' | 'people' | 'commit' | 'coAuthors'>) {
  const isOther = author.email !== committer.email || author.name !== committer.name
  return (
    <p class="faint">
      <MadeBy visit={visit} people={people} who={author} />
      {coAuthors.map((who, i) => [i === coAuthors.length - 1 ? ' and ' : ', ', <MadeBy visit={visit} people={people} who={who} />])}{' '}
      {isOther ? 'authored' : 'committed'} <Time at={author.seconds} dated />
      {isOther && [' · ', <MadeBy visit={visit} people={people} who={committer} />, ' committed ', <Time at={committer.seconds} dated />]}
    </p>
  )
}

function Signature({ verification: { verified, reason, signer, signature } }: { verification: PayloadCommitVerification }) {
  return (
    <details>
      <summary>{verified ? `Signed by ${signer?.name ?? signer?.email ?? 'a known key'}` : 'Unverified signature'}</summary>
      {!verified && <p class="faint">{signatureProblem(reason)}</p>}
      <pre>{signature}</pre>
    </details>
  )
}

function RefsAt({ visit, repo: { owner, row }, refs: { branches, tags, isCut } }: Pick<CommitProps, 'visit' | 'repo' | 'refs'>) {
  if (branches.length + tags.length === 0) return null
  const list = (kind: 'branch' | 'tag', names: readonly string[]) =>
    names.map((name) => (
      <a class="label" href={visit.to`/${owner.name}/${row.name}/commits/${kind}/${name}`}>
        <Icon visit={visit} name={kind === 'tag' ? 'tag' : 'git-branch'} size={12} /> {name}
      </a>
    ))
  return (
    <p>
      {'Contained in '}
      {list('branch', branches)}
      {list('tag', tags)}
      {isCut && ' and more'}
    </p>
  )
}

/** The first line of a message, as long as it can be shown on each row of a list. */
export function subjectOf({ message }: Commit): string {
  return shortSubjectOf(message) || '(no message)'
}
