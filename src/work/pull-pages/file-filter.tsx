import { type Static, t } from 'elysia'
import type { ChangesQuery } from '#code/commits/index.ts'
import type { FileDiff } from '#git/diff/diff-files.ts'
import { Choice } from '#web/index.ts'
import type { Viewing } from '#work/reviews/index.ts'

const Mark = t.Optional(t.String({ maxLength: 10 }))

/** Which files of a pull request are shown. */
export const FileFilterQuery = t.Object({
  /** In the path, whatever the case of its letters. */
  find: t.Optional(t.String({ maxLength: 4096 })),
  /** With the dot; `none` for files without one. */
  ext: t.Optional(t.String({ maxLength: 100 })),
  unviewed: Mark,
  commented: Mark,
})
export type FileFilterQuery = Static<typeof FileFilterQuery>

interface Known {
  viewing: ReadonlyMap<string, Viewing> | undefined
  /** By path. */
  comments: ReadonlyMap<string, number>
}

/** Undefined when all files are asked for. */
export function filterOf(
  { find = '', ext = '', unviewed, commented }: FileFilterQuery,
  { viewing, comments }: Known,
): ((file: FileDiff) => boolean) | undefined {
  const text = find.trim().toLowerCase()
  if (text === '' && ext === '' && !unviewed && !commented) return undefined
  return ({ path, oldPath }) =>
    (text === '' || path.toLowerCase().includes(text) || (oldPath?.toLowerCase().includes(text) ?? false)) &&
    (ext === '' || extensionOf(path) === ext) &&
    (!unviewed || viewing?.get(path) !== 'viewed') &&
    (!commented || comments.has(path))
}

function extensionOf(path: string): string {
  return /[^/](\.[^./]{1,30})$/.exec(path)?.[1] ?? 'none'
}

interface Props {
  /** Of the page of all files. */
  action: string
  query: FileFilterQuery & ChangesQuery
  files: readonly FileDiff[]
  /** Whether it is known which files the viewer has viewed. */
  hasViewing: boolean
}

/** Endings that are there to choose from. */
const MAX_EXTENSIONS = 50

/** Narrows the files down. */
export function FileFilter({ action, query, files, hasViewing }: Props) {
  const endings = [...new Set(files.map(({ path }) => extensionOf(path)))].sort().slice(0, MAX_EXTENSIONS)
  const isOn = Boolean(query.find?.trim() || query.ext || query.unviewed || query.commented)
  if (files.length < 2 && !isOn) return null
  return (
    <form class="search" method="get" action={action}>
      {query.style !== undefined && <input type="hidden" name="style" value={query.style} />}
      {query.whitespace !== undefined && <input type="hidden" name="whitespace" value={query.whitespace} />}
      <input type="search" name="find" value={query.find} maxlength="4096" aria-label="Filter files by path" placeholder="Filter files" />
      <select name="ext" aria-label="File extension">
        <option value="">All file extensions</option>
        {endings.map((ending) => (
          <option value={ending} selected={ending === query.ext}>
            {ending === 'none' ? 'No extension' : ending}
          </option>
        ))}
      </select>
      {hasViewing && <Choice name="unviewed" label="Not viewed" isOn={Boolean(query.unviewed)} value="1" />}
      <Choice name="commented" label="With comments" isOn={Boolean(query.commented)} value="1" />
      <button type="submit">Filter</button>
      {isOn && <a href={action}>Clear filter</a>}
    </form>
  )
}
