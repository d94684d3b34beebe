import { atLeast, type RepoAccess } from '#access/index.ts'
import type { RefPath } from '#code/commits/index.ts'
import type { Visit } from '#web/index.ts'

export interface PlaceProps {
  visit: Visit
  repo: RepoAccess
  place: RefPath
}

/** The way from the root to a file or directory. */
export function Crumbs({ visit, repo: { owner, row }, place }: PlaceProps) {
  const parts = place.path === '' ? [] : place.path.split('/')
  const above = (n: number) => visit.to`/${owner.name}/${row.name}/src/${place.kind}/${place.name}/${parts.slice(0, n).join('/')}`
  return (
    <nav class="crumbs" aria-label="Path">
      <a href={above(0)}>{row.name}</a>
      {parts.map((part, i) => [' / ', i === parts.length - 1 ? <strong>{part}</strong> : <a href={above(i + 1)}>{part}</a>])}
    </nav>
  )
}

const actionNames = { _new: 'New file', _upload: 'Upload', _edit: 'Edit', _delete: 'Delete' }
const keys: Partial<Record<keyof typeof actionNames, string>> = { _edit: 'e' }

/** What who may write can do with a file or directory of a branch. */
export function EditLinks({ visit, repo, place, actions }: PlaceProps & { actions: readonly (keyof typeof actionNames)[] }) {
  const { owner, row, permission } = repo
  const mayEdit = place.kind === 'branch' && row.archived_at === null && row.is_mirror === 0 && atLeast(permission.of('code'), 'write')
  if (!mayEdit) return null
  return (
    <>
      {actions.map((action) => (
        <a class="button" href={visit.to`/${owner.name}/${row.name}/${action}/${place.name}/${place.path}`} data-key={keys[action]}>
          {actionNames[action]}
        </a>
      ))}
    </>
  )
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
