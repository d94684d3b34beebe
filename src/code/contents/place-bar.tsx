import { atLeast, type RepoAccess } from '#access/index.ts'
import { type RefChoices, type RefPath, RefPicker } from '#code/commits/index.ts'
import type { Child, Visit } from '#web/index.ts'

export interface PlaceProps {
  visit: Visit
  repo: RepoAccess
  place: RefPath
}

interface BarProps extends PlaceProps {
  choices: RefChoices
  /** What who may write can do with the place. */
  actions: readonly EditAction[]
  /** What stands behind all that. */
  children?: Child
}

/** Above a directory or file: of which branch, tag or commit it is, the way there, and what can be done. */
export function PlaceBar({ visit, repo, place, choices, actions, children }: BarProps) {
  const { owner, row } = repo
  return (
    <div class="bar">
      <div class="buttons">
        <RefPicker visit={visit} repo={repo} place={place} view="src" choices={choices} />
        {place.path !== '' && <Crumbs visit={visit} repo={repo} place={place} />}
      </div>
      <div class="buttons">
        <a class="button" href={visit.to`/${owner.name}/${row.name}/find/${place.kind}/${place.name}`} data-key="t">
          Go to file
        </a>
        <EditLinks visit={visit} repo={repo} place={place} actions={actions} />
        {children}
      </div>
    </div>
  )
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

const actionNames = { _new: 'New file', _upload: 'Upload files', _edit: 'Edit', _delete: 'Delete' }
type EditAction = keyof typeof actionNames
const keys: Partial<Record<EditAction, string>> = { _edit: 'e' }

/** What who may write can do with a file or directory of a branch. */
function EditLinks({ visit, repo, place, actions }: PlaceProps & { actions: readonly EditAction[] }) {
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
