import { atLeast, KeptPages, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { MeasuredMove } from '#git/workers/move-tasks.ts'
import { NotFound } from '#kernel/errors.ts'
import { findRef, listReflog, type ReflogEntry } from '#repositories/refs/index.ts'
import { ActionButton, answerPage, countText, Empty, RepoFrame, Time, Trouble, type Visit } from '#web/index.ts'
import { mayChangeBranches } from './deleted.tsx'

const PAGE_SIZE = 50
/** Milliseconds for how many commits came and went. */
const MEASURE_MS = 300

export interface ReflogQuestion {
  /** The id of an entry; those before it are shown. */
  before?: number | undefined
  error?: string
  status?: number
}

interface ShownMove extends ReflogEntry, MeasuredMove {}

/** Whether the viewer is told where branches have pointed, which names what was pushed away. */
export function mayReadMoves({ permission, row }: RepoAccess): boolean {
  return atLeast(permission.of('code'), 'write') && row.archived_at === null
}

/** Where a branch has pointed: who moved it when, from where and to where. @throws NotFound when nothing is remembered of such a branch */
export async function showReflog(
  context: Pick<Context, 'db' | 'git' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  name: string,
  asked: ReflogQuestion = {},
): Promise<Response> {
  const { row } = repo
  const tip = findRef(context.db, row.id, HEADS + name)?.oid
  const found = listReflog(context.db, row.id, HEADS + name, { before: asked.before, limit: PAGE_SIZE + 1 })
  if (found.length === 0 && tip === undefined) throw new NotFound()
  const entries = found.slice(0, PAGE_SIZE)
  // Upkeep removes commits without a word in the database.
  context.services.get(KeptPages).leaveOut()
  const moves = entries.map(({ old_oid, new_oid }) => ({ from: there(old_oid), to: there(new_oid) }))
  const measured = await context.git.run('measureMoves', row.id, { moves, milliseconds: MEASURE_MS })
  const shown = entries.map((entry, i): ShownMove => ({ ...entry, ...(measured[i] as MeasuredMove) }))
  const older = found.length > PAGE_SIZE ? entries.at(-1)?.id : undefined
  const page = <ReflogPage visit={visit} repo={repo} name={name} tip={tip} moves={shown} older={older} error={asked.error} />
  return answerPage(page, asked.error === undefined ? 200 : (asked.status ?? 409), visit.unindexed)
}

function there(oid: Oid): Oid | undefined {
  return oid === SHA1.zero ? undefined : oid
}

interface Props {
  visit: Visit
  repo: RepoAccess
  name: string
  /** Where it is now; undefined when it is deleted. */
  tip: Oid | undefined
  moves: readonly ShownMove[]
  older: number | undefined
  error: string | undefined
}

function ReflogPage({ visit, repo, name, tip, moves, older, error }: Props) {
  const { owner, row } = repo
  const base = `${owner.name}/${row.name}`
  return (
    <RepoFrame visit={visit} repo={repo} tab="branches" title={`Reflog of ${name}`}>
      <div class="bar">
        <h2>Reflog of {name}</h2>
        <p>
          {tip === undefined ? (
            'This branch is deleted.'
          ) : (
            <>
              <a href={visit.to`/${base}/src/branch/${name}`}>Files</a> · <a href={visit.to`/${base}/commits/branch/${name}`}>Commits</a>
            </>
          )}
        </p>
      </div>
      <p class="faint">
        Only users with write access can see this page. It lists commits that force pushes removed from the branch. Until garbage collection deletes such a
        commit, anyone with read access who knows its ID can read it.
      </p>
      <Trouble text={error} />
      {moves.length === 0 && <Empty visit={visit} icon="history" title="No reflog entries" />}
      {moves.length > 0 && (
        <ol class="list">
          {moves.map((move) => (
            <Move visit={visit} repo={repo} name={name} tip={tip} move={move} />
          ))}
        </ol>
      )}
      {older !== undefined && (
        <nav class="pager" aria-label="Pages">
          <a rel="next" href={`${visit.to`/${base}/reflog/${name}`}?before=${older}`}>
            Older
          </a>
        </nav>
      )}
    </RepoFrame>
  )
}

function Move({ visit, repo, name, tip, move }: Pick<Props, 'visit' | 'repo' | 'name' | 'tip'> & { move: ShownMove }) {
  const { owner, row } = repo
  const base = `${owner.name}/${row.name}`
  const { id, old_oid: from, new_oid: to, by, message, created_at, hasFrom, hasTo, distance } = move
  const isForced = distance !== undefined && distance.behind > 0
  const isOffered = tip !== undefined && hasTo && to !== tip && mayChangeBranches(repo)
  return (
    <li class="entry">
      <div class="what grows">
        <p>
          <Place visit={visit} base={base} oid={from} isThere={hasFrom} nowhere="none" />
          {' → '}
          <Place visit={visit} base={base} oid={to} isThere={hasTo} nowhere="deleted" />
          {isForced && <span class="mark">Forced update</span>}
          {to === tip && <span class="mark">Current</span>}
        </p>
        <p class="faint">
          {by === null ? 'Unknown user' : <a href={visit.to`/${by}`}>{by}</a>}
          {`: ${wordsOf(message)}`}
          {distance && `, ${countsOf(distance)}`} <Time at={created_at} />
        </p>
      </div>
      <span class="buttons">
        {distance && <a href={visit.to`/${base}/compare/${from}${isForced ? '..' : '...'}${to}`}>Compare</a>}
        {isOffered && (
          <ActionButton action={visit.to`/${base}/reflog/${name}`} name="id" value={String(id)} fields={{ from: tip }} to={to.slice(0, 10)}>
            Reset branch to this commit
          </ActionButton>
        )}
        {to === SHA1.zero && tip === undefined && hasFrom && mayChangeBranches(repo) && (
          <ActionButton action={visit.to`/${base}/branches/restore`} name="id" value={String(id)} to={from.slice(0, 10)}>
            Restore
          </ActionButton>
        )}
      </span>
    </li>
  )
}

/** A commit, as a link where it is still there. */
function Place({ visit, base, oid, isThere, nowhere }: { visit: Visit; base: string; oid: Oid; isThere: boolean; nowhere: string }) {
  if (oid === SHA1.zero) return <span class="faint">{nowhere}</span>
  const id = <code>{oid.slice(0, 10)}</code>
  return isThere ? <a href={visit.to`/${base}/commit/${oid}`}>{id}</a> : <span title="This commit no longer exists">{id}</span>
}

/** `2 commits added, 1 removed` */
function countsOf({ ahead, behind }: { ahead: number; behind: number }): string {
  const added = `${countText(ahead, 'commit')} added`
  return behind === 0 ? added : `${added}, ${behind} removed`
}

/** How it moved, as those who moved it wrote that down. */
function wordsOf(message: string): string {
  if (message === 'push') return 'pushed'
  return message.replace(/^branch: /, '').replace(/ through the API$/, '')
}
