import { isUtf8 } from 'node:buffer'
import type { LineChange, LineDiff } from './line-diff.ts'
import { isSpace, type Lines } from './lines.ts'

export interface HunkOptions {
  /** Lines shown around changes. Default: 3. */
  context?: number
  /** Lines between two changes that are shown although they are no context. Default: 0. */
  interHunkContext?: number
  /** What a line says of where the lines below it are, or nothing. Default: a line that begins as a definition does, as it is. */
  section?: SectionOf
}

export type SectionOf = (line: Uint8Array) => Uint8Array | undefined

/** Changes that lie so near to each other that they are shown together. Lines are counted from 0. */
export interface Hunk {
  oldStart: number
  oldEnd: number
  newStart: number
  newEnd: number
  changes: readonly LineChange[]
  /** The line above that says what it is in, as far as it is shown, in the encoding of the file; empty when there is none. */
  section: Uint8Array
}

/** A line of a hunk: `old` and `new` are its numbers, counted from 1, where it has one. */
export interface HunkLine {
  kind: 'context' | 'added' | 'deleted'
  old?: number
  new?: number
  bytes: Uint8Array
}

const MAX_SECTION_BYTES = 80
const nothing = new Uint8Array(0)

/** The hunks of a comparison, in order. Source: git's `xdl_get_hunk` and `xdl_emit_diff` (`xdiff/xemit.c`). */
export function* hunksOf({ old, new: now, changes }: LineDiff, options: HunkOptions = {}): Generator<Hunk, void, undefined> {
  const { context = 3, interHunkContext = 0, section: sectionOf = definition } = options
  let section: Uint8Array = nothing
  let searchedTo = -1
  for (let range = nextHunk(changes, 0, context, interHunkContext); range !== undefined; range = nextHunk(changes, range[1] + 1, context, interHunkContext)) {
    const [first, last] = [changes[range[0]] as LineChange, changes[range[1]] as LineChange]
    const oldStart = Math.max(0, first.oldStart - context)
    const newStart = Math.max(0, first.newStart - context)
    const [oldEnd, newEnd] = [last.oldStart + last.oldCount, last.newStart + last.newCount]
    const below = Math.min(context, old.count - oldEnd, now.count - newEnd)
    section = findSection(old, oldStart - 1, searchedTo, sectionOf) ?? section
    searchedTo = oldStart - 1
    yield { oldStart, oldEnd: oldEnd + below, newStart, newEnd: newEnd + below, changes: changes.slice(range[0], range[1] + 1), section }
  }
}

/** The lines of a hunk in the order of a patch; what both sides have is as the new one has it. */
export function* linesOf(hunk: Hunk, { old, new: now }: LineDiff): Generator<HunkLine, void, undefined> {
  let [oldAt, newAt] = [hunk.oldStart, hunk.newStart]
  const context = (): HunkLine => ({ kind: 'context', old: ++oldAt, new: ++newAt, bytes: now.bytes(newAt - 1) })
  // At the beginning of a file, and where blanks do not count, the sides may have different numbers of lines above a change.
  for (const change of hunk.changes) {
    while (newAt < change.newStart) yield context()
    oldAt = change.oldStart
    for (let i = 0; i < change.oldCount; i++) yield { kind: 'deleted', old: ++oldAt, bytes: old.bytes(oldAt - 1) }
    for (let i = 0; i < change.newCount; i++) yield { kind: 'added', new: ++newAt, bytes: now.bytes(newAt - 1) }
  }
  while (newAt < hunk.newEnd) yield context()
}

/** The first and last of the changes from `from` on that go into one hunk. Ignored ones count only near others. */
function nextHunk(changes: readonly LineChange[], from: number, context: number, interHunkContext: number): [number, number] | undefined {
  const most = 2 * context + interHunkContext
  let first = from
  for (let at = from; at < changes.length && (changes[at] as LineChange).isIgnored; at++) {
    if (at + 1 === changes.length || (changes[at + 1] as LineChange).oldStart - endOf(changes[at] as LineChange) >= context) first = at + 1
  }
  if (first >= changes.length) return undefined
  let last = first
  let ignored = 0
  for (let at = first + 1; at < changes.length; at++) {
    const change = changes[at] as LineChange
    const distance = change.oldStart - endOf(changes[at - 1] as LineChange)
    if (distance > most) break
    const isNear = distance < context
    if (!isNear && last !== at - 1 && change.oldStart + ignored - endOf(changes[last] as LineChange) > most) break
    if (!change.isIgnored || (isNear && last === at - 1)) [last, ignored] = [at, 0]
    else ignored += change.newCount
  }
  return [first, last]
}

function endOf(change: LineChange): number {
  return change.oldStart + change.oldCount
}

/** What the nearest line, from `from` up to behind `above`, says that says anything. */
function findSection(lines: Lines, from: number, above: number, sectionOf: SectionOf): Uint8Array | undefined {
  for (let at = from; at > above; at--) {
    const found = sectionOf(lines.data.subarray(lines.starts[at], lines.starts[at + 1]))
    if (found === undefined) continue
    let end = Math.min(found.length, MAX_SECTION_BYTES)
    while (end > 0 && isSpace(found[end - 1] as number)) end--
    return found.subarray(0, end)
  }
  return undefined
}

function definition(line: Uint8Array): Uint8Array | undefined {
  return beginsDefinition(line[0] as number) ? line : undefined
}

/** Up to the first bytes that are not UTF-8, as the cut may have made of a letter. Source: git's `sane_truncate_line`. */
export function withoutBrokenEnd(bytes: Uint8Array): Uint8Array {
  if (isUtf8(bytes)) return bytes
  const text = Buffer.prototype.utf8Slice.call(bytes, 0, bytes.length)
  return bytes.subarray(0, Buffer.byteLength(text.slice(0, text.indexOf('\ufffd'))))
}

/** A letter, an underscore or a dollar sign: git's rule where no driver is named. */
function beginsDefinition(byte: number): boolean {
  const letter = byte | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || byte === 0x5f || byte === 0x24
}
