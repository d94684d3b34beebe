import type { RepoAccess } from '#access/index.ts'
import { parseComparison } from '#code/compare/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { getHead, listRelatives, type Relative } from '#repositories/forks/index.ts'
import { listBranches } from '#repositories/refs/index.ts'
import type { Visit } from '#web/index.ts'

/** Branches that a picker offers, and repositories of the family. */
const MAX_BRANCHES = 200
const MAX_RELATIVES = 30

/** What a comparison is between, and what else it could be. */
export interface ComparedEnds {
  base: string
  /** As people write it: `branch`, `owner:branch` or `owner/repo:branch`. */
  head: string
  isDirect: boolean
  /** Where the head is. */
  home: RepoAccess
  bases: readonly string[]
  /** As `head` is written. */
  heads: readonly string[]
  /** Other repositories that the head may be in. */
  relatives: readonly Relative[]
}

/** @param text `base...head`; empty at first @throws as `getHead` does */
export function readEnds({ db }: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess, text: string): ComparedEnds {
  const { base, head, isDirect } = parseComparison(text, repo.row.default_branch)
  const { repo: home } = getHead(db, visit.viewer, repo, head)
  const whose = [head.owner, head.repo].filter((part) => part !== undefined).join('/')
  const written = (branch: string) => (whose === '' ? branch : `${whose}:${branch}`)
  const branchesOf = (id: number) => listBranches(db, id, { limit: MAX_BRANCHES, offset: 0 }).map(({ name }) => name.slice(HEADS.length))
  const bases = branchesOf(repo.row.id)
  const heads = (home.row.id === repo.row.id ? bases : branchesOf(home.row.id)).map(written)
  const hasFamily = repo.row.fork_of !== null || repo.row.fork_count > 0
  const relatives = hasFamily ? listRelatives(db, visit.viewer, repo.row.id, MAX_RELATIVES) : []
  return { base: base.ref, head: written(head.ref), isDirect, home, bases, heads, relatives }
}

interface Props {
  visit: Visit
  repo: RepoAccess
  ends: ComparedEnds
}

/** The two ends, to be chosen: branches by their names, the head's repository from those that were forked from one another. */
export function EndPickers({ visit, repo, ends }: Props) {
  const { owner, row } = repo
  const { base, head, bases, heads } = ends
  return (
    <div class="bar">
      <form class="search" method="get" action={visit.to`/${owner.name}/${row.name}/compare`}>
        <label>
          Base <input name="base" value={base} list="bases" required />
        </label>
        <label>
          Compare <input name="head" value={head} list="heads" required />
        </label>
        {(['bases', 'heads'] as const).map((id) => (
          <datalist id={id}>
            {{ bases, heads }[id].map((name) => (
              <option value={name} />
            ))}
          </datalist>
        ))}
        <button type="submit">Compare branches</button>
      </form>
      {ends.relatives.length > 0 && (
        <div class="buttons end">
          <BaseRepos visit={visit} repo={repo} ends={ends} />
          <HeadRepos visit={visit} repo={repo} ends={ends} />
        </div>
      )}
    </div>
  )
}

/** Other repositories that the same branch can be asked to be merged in. */
function BaseRepos({ visit, repo: { owner, row }, ends: { head, home, relatives } }: Props) {
  const branch = home.row.id === row.id ? head : head.slice(head.indexOf(':') + 1)
  return (
    <details class="menu end" name="menu">
      <summary>{`Base repository: ${owner.name}/${row.name}`}</summary>
      <div class="menu-body">
        <ul>
          {relatives.map((one) => {
            const from = one.id === home.row.id ? branch : `${home.owner.name}/${home.row.name}:${branch}`
            return (
              <li>
                <a href={visit.to`/${one.owner}/${one.name}/compare/${`${one.default_branch}...${from}`}`}>{`${one.owner}/${one.name}`}</a>
              </li>
            )
          })}
        </ul>
      </div>
    </details>
  )
}

function HeadRepos({ visit, repo: { owner, row }, ends: { base, home, relatives } }: Props) {
  const at = (head: string) => visit.to`/${owner.name}/${row.name}/compare/${`${base}...${head}`}`
  return (
    <details class="menu end" name="menu">
      <summary>{`Head repository: ${home.owner.name}/${home.row.name}`}</summary>
      <div class="menu-body">
        <ul>
          <li>
            <a href={at(row.default_branch)} aria-current={home.row.id === row.id ? 'true' : undefined}>
              {`${owner.name}/${row.name}`}
            </a>
          </li>
          {relatives.map((one) => (
            <li>
              <a href={at(`${one.owner}/${one.name}:${one.default_branch}`)} aria-current={home.row.id === one.id ? 'true' : undefined}>
                {`${one.owner}/${one.name}`}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

/** The same two the other way round, or with what the base has changed as well. */
export function OtherWays({ visit, repo: { owner, row }, ends: { base, head, isDirect, home } }: Props) {
  const dots = isDirect ? '..' : '...'
  const isHere = home.row.id === row.id
  const branch = isHere ? head : head.slice(head.indexOf(':') + 1)
  const swapped = visit.to`/${home.owner.name}/${home.row.name}/compare/${`${branch}${dots}${isHere ? base : `${owner.name}/${row.name}:${base}`}`}`
  const at = (between: string) => visit.to`/${owner.name}/${row.name}/compare/${between}`
  return (
    <div class="buttons">
      <a href={swapped}>Swap branches</a>
      <nav class="switch" aria-label="Comparison type">
        <a href={at(`${base}...${head}`)} aria-current={isDirect ? undefined : 'true'}>
          Three-dot (since merge base)
        </a>
        <a href={at(`${base}..${head}`)} aria-current={isDirect ? 'true' : undefined}>
          Two-dot (direct)
        </a>
      </nav>
    </div>
  )
}
