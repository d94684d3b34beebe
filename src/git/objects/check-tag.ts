import { fault } from './fault.ts'
import type { OnHexLink } from './header-lines.ts'
import { HeaderLines } from './header-lines.ts'
import type { ObjectType } from './oid.ts'

const types: Record<string, ObjectType | undefined> = { commit: 'commit', tree: 'tree', blob: 'blob', tag: 'tag' }

/**
 * Checks the tag in `bytes[start, end)`: `object`, `type`, `tag`, perhaps `tagger`. Source: `fsck_tag` of git's `fsck.c`.
 * @param ignored faults to let pass, by git's names for them
 * @throws GitError `corrupt`, or `refused` with git's name for the fault
 */
export function checkTag(bytes: Uint8Array, start: number, end: number, hexLength: number, onLink: OnHexLink, ignored: ReadonlySet<string>): void {
  const lines = new HeaderLines(bytes, start, end)
  if (!lines.take('object')) throw fault('corrupt', 'it has no "object" line')
  const at = lines.id(hexLength, 'object')
  if (!lines.take('type')) throw fault('corrupt', 'it has no "type" line')
  const name = lines.text('type')
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  if (type === undefined) throw fault('corrupt', `its type "${name.slice(0, 40)}" is unknown`)
  if (!lines.take('tag')) throw fault('corrupt', 'it has no "tag" line')
  lines.text('tag')
  if (lines.take('tagger')) lines.identity('tagger', false, ignored)
  onLink(at, type)
}
