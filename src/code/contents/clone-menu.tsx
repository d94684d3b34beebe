import type { RepoAccess } from '#access/index.ts'
import type { RefPath } from '#code/commits/index.ts'
import type { Visit } from '#web/index.ts'

interface Props {
  visit: Visit
  repo: RepoAccess
  place: RefPath
}

/** Where to clone from, and what is shown as one file. */
export function CloneMenu({ visit, repo, place }: Props) {
  const { owner, row } = repo
  const address = cloneAddress(visit, repo)
  const name = place.kind === 'commit' ? place.commit : place.name
  return (
    <details class="menu end" name="menu">
      <summary class="button primary">Code</summary>
      <div class="menu-body">
        <label>
          Clone with HTTP
          <input class="code" id="clone-address" readonly value={address} />
        </label>
        <p>
          <code>{`git clone ${address}`}</code>
        </p>
        <ul>
          {(['zip', 'tar.gz', 'bundle'] as const).map((kind) => (
            <li>
              <a href={visit.to`/${owner.name}/${row.name}/archive/${`${name}.${kind}`}`} rel="nofollow">{`Download as ${kind}`}</a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

/** With the viewer's name, so that git asks for the password alone. */
export function cloneAddress({ root, viewer }: Visit, { owner, row }: RepoAccess): string {
  const url = new URL(`${encodeURIComponent(owner.name)}/${encodeURIComponent(row.name)}.git`, root)
  if (viewer.user) url.username = viewer.user.name
  return url.href
}
