import type { RepoAccess } from '#access/index.ts'
import type { RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Unfolded } from '#git/browse/list-along.ts'
import type { Oid } from '#git/objects/oid.ts'
import { type Html, Icon, type Visit } from '#web/index.ts'
import { entryIcons } from './tree-templates.tsx'
import { contentType } from './view.ts'

/** Entries of one directory; the directory's own page has them all. */
const MOST_ENTRIES = 200

interface Props {
  visit: Visit
  repo: RepoAccess
  place: RefPath
}

/** The directories on the way to a file, to go to its neighbours from. */
export async function renderFileTree(context: Pick<Context, 'git'>, { visit, repo, place }: Props, tree: Oid): Promise<Html> {
  const found = await context.git.run('listAlong', repo.row.id, { tree, path: place.path, most: MOST_ENTRIES })
  return (
    <details class="file-tree" open>
      <summary>Files</summary>
      <nav aria-label="Files">
        <Directory visit={visit} repo={repo} place={place} found={found} path="" />
      </nav>
    </details>
  )
}

function Directory({ visit, repo, place, found, path }: Props & { found: Unfolded; path: string }) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/src/${place.kind}/${place.name}/${path}`
  const below = address.endsWith('/') ? address : `${address}/`
  return (
    <ul>
      {found.entries.map(({ name, mode }) => {
        const [icon, label] = entryIcons[contentType(mode)]
        const inside = found.open?.name === name ? found.open.inside : undefined
        const whole = path === '' ? name : `${path}/${name}`
        return (
          <li>
            <a href={below + encodeURIComponent(name)} aria-current={whole === place.path ? 'page' : undefined}>
              <Icon visit={visit} name={icon} label={label} /> {name}
            </a>
            {inside && <Directory visit={visit} repo={repo} place={place} found={inside} path={whole} />}
          </li>
        )
      })}
      {found.isCut && (
        <li>
          <a href={address}>More</a>
        </li>
      )}
    </ul>
  )
}
