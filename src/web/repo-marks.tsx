import type { RepoRow } from '#access/index.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icons.ts'
import type { Visit } from './visit.ts'

type Marked = Pick<RepoRow, 'is_private' | 'archived_at' | 'is_mirror' | 'is_template' | 'fork_of'>

/** What a repository is besides one: who sees it, and whether it goes on. */
export function RepoMarks({ visit, row }: { visit: Visit; row: Marked }) {
  const marks: readonly (readonly [isSo: boolean, icon: IconName, text: string])[] = [
    [row.is_private === 1, 'lock', 'Private'],
    [row.archived_at !== null, 'archive', 'Archived'],
    [row.is_mirror === 1, 'mirror', 'Mirror'],
    [row.is_template === 1, 'stack', 'Template'],
  ]
  return (
    <>
      {marks.map(
        ([isSo, icon, text]) =>
          isSo && [
            ' ',
            <span class="mark">
              <Icon visit={visit} name={icon} size={12} />
              {text}
            </span>,
          ],
      )}
    </>
  )
}

/** The icon that stands before a repository's name. */
export function repoIcon(row: Marked): IconName {
  if (row.is_private === 1) return 'lock'
  if (row.is_mirror === 1) return 'mirror'
  return row.fork_of === null ? 'repo' : 'repo-forked'
}
