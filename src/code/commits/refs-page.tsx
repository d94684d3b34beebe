import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { searchRefs } from '#repositories/refs/index.ts'
import { answerPage, RepoFrame, seeOther, type Visit } from '#web/index.ts'
import { getRefPath } from './ref-path.ts'
import { type RefView, refAddress } from './ref-picker.tsx'

/** Of each kind. */
const MOST_FOUND = 100

/** Of a path that may not be there. */
const MAX_DEPTH = 64

/** What is looked for, and which place of what is found is to be shown then. */
export interface RefQuestion {
  text: string
  view: RefView
  path: string
}

/** Branches and tags by a part of their names. A single one that has exactly the name is gone to at once. */
export async function showRefs(context: Pick<Context, 'db'>, visit: Visit, repo: RepoAccess, { text, view, path }: RefQuestion): Promise<Response> {
  const { owner, row } = repo
  const find = async (prefix: string) => {
    const found = await searchRefs(context.db, row.id, { prefix, text, limit: MOST_FOUND })
    return found.map(({ name }) => name.slice(prefix.length))
  }
  const found = { branch: await find(HEADS), tag: await find(TAGS) }
  const addressOf = (kind: 'branch' | 'tag', name: string) => refAddress(visit, repo, { view, path, kind, name })
  const exact = (['branch', 'tag'] as const).filter((kind) => found[kind].includes(text))
  if (exact[0] !== undefined && exact.length === 1) return seeOther(addressOf(exact[0], text))
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab="code" title="Branches and tags">
      <h2>Branches and tags</h2>
      <form class="search" method="get" action={visit.to`/${owner.name}/${row.name}/refs`}>
        <input type="hidden" name="view" value={view} />
        <input type="hidden" name="path" value={path} />
        <input type="search" name="q" value={text} aria-label="Search branches and tags" maxlength="1024" />
        <button type="submit">Search</button>
      </form>
      <FoundRefs title="Branches" kind="branch" names={found.branch} addressOf={addressOf} />
      <FoundRefs title="Tags" kind="tag" names={found.tag} addressOf={addressOf} />
    </RepoFrame>,
    200,
    visit.unindexed,
  )
}

/** Leads to the same place of another branch or tag, or to the next directory above it that is there. @param ref `branch/main` @throws NotFound */
export async function goToRef(
  context: Pick<Context, 'db' | 'git'>,
  visit: Visit,
  repo: RepoAccess,
  ref: string,
  { view, path }: Omit<RefQuestion, 'text'>,
): Promise<Response> {
  const [kind = '', ...name] = ref.split('/')
  const place = await getRefPath(context, repo, kind, name.map(encodeURIComponent).join('/'))
  const { tree } = await context.git.look('links', repo.row.id, { oid: place.commit })
  let there = path.split('/').slice(0, MAX_DEPTH).join('/')
  while (there !== '' && !(await context.git.run('openPath', repo.row.id, { tree, path: there, maxBytes: 0 }))) {
    there = there.slice(0, Math.max(0, there.lastIndexOf('/')))
  }
  const shown = there !== path && view === 'blame' ? 'src' : view
  return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/${shown}/${place.kind}/${place.name}/${there}`)
}

interface FoundProps {
  title: string
  kind: 'branch' | 'tag'
  names: readonly string[]
  addressOf(kind: 'branch' | 'tag', name: string): string
}

function FoundRefs({ title, kind, names, addressOf }: FoundProps) {
  return (
    <section>
      <h3>{title}</h3>
      {names.length === 0 && <p class="faint">{kind === 'tag' ? 'No tags found' : 'No branches found'}</p>}
      {names.length > 0 && (
        <ul class="list">
          {names.map((name) => (
            <li>
              <a href={addressOf(kind, name)}>{name}</a>
            </li>
          ))}
        </ul>
      )}
      {names.length === MOST_FOUND && <p class="faint">{`Showing the first ${MOST_FOUND} matches.`}</p>}
    </section>
  )
}
