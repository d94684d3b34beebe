import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { listBranches, listRefs } from '#repositories/refs/index.ts'
import { Icon, type Visit } from '#web/index.ts'
import type { RefPath } from './ref-path.ts'

/** Pages that show the same place of another branch or tag. */
export const refViews = ['src', 'commits', 'blame', 'find'] as const
export type RefView = (typeof refViews)[number]

/** Branches and tags that are offered at once; the others are searched for. */
const OFFERED = 15

/** What can be chosen without a search, without `refs/heads/` and `refs/tags/`. */
export interface RefChoices {
  branches: readonly string[]
  tags: readonly string[]
}

/** The newest branches, and the first tags by name. */
export function refChoices({ db }: Pick<Context, 'db'>, { row }: RepoAccess): RefChoices {
  return {
    branches: listBranches(db, row.id, { limit: OFFERED }).map(({ name }) => name.slice(HEADS.length)),
    tags: listRefs(db, row.id, { prefix: TAGS, limit: OFFERED }).map(({ name }) => name.slice(TAGS.length)),
  }
}

/** Where a place is in another branch or tag. The path may not be there: that is found out on the way. */
export function refAddress(visit: Visit, { owner, row }: RepoAccess, asked: { view: RefView; path: string; kind: 'branch' | 'tag'; name: string }): string {
  const { view, path, kind, name } = asked
  if (path === '') return visit.to`/${owner.name}/${row.name}/${view}/${kind}/${name}`
  return `${visit.to`/${owner.name}/${row.name}/refs`}?${new URLSearchParams({ view, path, ref: `${kind}/${name}` })}`
}

interface PickerProps {
  visit: Visit
  repo: RepoAccess
  place: RefPath
  view: RefView
  choices: RefChoices
}

/** Says which branch, tag or commit is shown, and leads to the same place in another: the nearest at once, any by a part of its name. */
export function RefPicker({ visit, repo, place, view, choices }: PickerProps) {
  const { owner, row } = repo
  const kinds = { branch: ['git-branch', 'Branch'], tag: ['tag', 'Tag'], commit: ['git-commit', 'Commit'] } as const
  const [icon, label] = kinds[place.kind]
  const list = (kind: 'branch' | 'tag', names: readonly string[]) =>
    names.map((name) => (
      <li>
        <a
          href={refAddress(visit, repo, { view, path: place.path, kind, name })}
          aria-current={kind === place.kind && name === place.name ? 'true' : undefined}
        >
          {name}
        </a>
      </li>
    ))
  return (
    <details class="menu" name="menu">
      <summary class="button">
        <Icon visit={visit} name={icon} label={label} /> <strong>{place.kind === 'commit' ? place.name.slice(0, 10) : place.name}</strong>
      </summary>
      <div class="menu-body">
        <form class="search" method="get" action={visit.to`/${owner.name}/${row.name}/refs`}>
          <input type="hidden" name="view" value={view} />
          <input type="hidden" name="path" value={place.path} />
          <input type="search" name="q" aria-label="Search branches and tags" placeholder="Find a branch or tag" maxlength="1024" />
          <button type="submit">Search</button>
        </form>
        <h3>Branches</h3>
        <ul>{list('branch', choices.branches)}</ul>
        {choices.tags.length > 0 && <h3>Tags</h3>}
        {choices.tags.length > 0 && <ul>{list('tag', choices.tags)}</ul>}
      </div>
    </details>
  )
}
