import type { Oid } from '../objects/oid.ts'
import { pathBytes, quotePath } from './quote-path.ts'
import type { FileChange } from './renames.ts'
import type { TreeChange, TreeSide } from './tree-diff.ts'

/** How a file's sides are called in a patch. */
export interface PatchNames {
  a: string
  b: string
  /** As `---` and `+++` name them: `/dev/null` where there is no file. */
  old: string
  new: string
}

export function namesOf(change: FileChange): PatchNames {
  const now = pathBytes(change)
  const old = 'oldPath' in change ? pathBytes({ path: change.oldPath, rawPath: change.rawOldPath }) : now
  const [a, b] = [quotePath('a/', old), quotePath('b/', now)]
  return { a, b, old: change.old === undefined ? '/dev/null' : a, new: change.new === undefined ? '/dev/null' : b }
}

export interface PatchHeader {
  text: string
  /** Whether it says something even without a change of content. */
  isTelling: boolean
}

/** All that stands above the hunks but `---` and `+++`. Source: git's `diff.c`, `builtin_diff` and `fill_metainfo`. */
export function headerOf(change: FileChange, names: PatchNames, abbreviate: (oid: Oid) => string): PatchHeader {
  const modes = modeLines(change.old, change.new)
  const move = 'oldPath' in change ? moveLines(change, pathBytes({ path: change.oldPath, rawPath: change.rawOldPath })) : ''
  return { text: `diff --git ${names.a} ${names.b}\n${modes}${move}${indexLine(change, abbreviate)}`, isTelling: modes !== '' || move !== '' }
}

function modeLines(old: TreeSide | undefined, now: TreeSide | undefined): string {
  if (old === undefined) return `new file mode ${octal(now)}\n`
  if (now === undefined) return `deleted file mode ${octal(old)}\n`
  return old.mode === now.mode ? '' : `old mode ${octal(old)}\nnew mode ${octal(now)}\n`
}

function moveLines(change: Extract<FileChange, { oldPath: string }>, oldPath: Uint8Array): string {
  const verb = change.status === 'renamed' ? 'rename' : 'copy'
  return `similarity index ${change.similarity}%\n${verb} from ${quotePath(oldPath)}\n${verb} to ${quotePath(pathBytes(change))}\n`
}

function indexLine({ old, new: now }: FileChange, abbreviate: (oid: Oid) => string): string {
  if (old?.oid === now?.oid) return ''
  const none = abbreviate('0'.repeat((old ?? now)?.oid.length ?? 40) as Oid)
  const ids = `${old === undefined ? none : abbreviate(old.oid)}..${now === undefined ? none : abbreviate(now.oid)}`
  return `index ${ids}${old?.mode === now?.mode ? ` ${octal(old)}` : ''}\n`
}

export function octal(side: TreeSide | undefined): string {
  return (side?.mode ?? 0).toString(8).padStart(6, '0')
}

/** A patch cannot make one kind of file of another: it takes the old one away and puts the new one there. */
export function splitTypeChange(change: FileChange): FileChange[] {
  if (change.status !== 'type-changed') return [change]
  const { path, rawPath, old, new: now } = change
  const place = rawPath === undefined ? { path } : { path, rawPath }
  return [{ ...place, status: 'deleted', old, new: undefined } as TreeChange, { ...place, status: 'added', old: undefined, new: now } as TreeChange]
}
