import type { Steps } from '../steps.ts'
import { type Contents, splitContents } from './content-merge.ts'
import type { Lines } from './line-table.ts'
import { threeWayHunks } from './three-way.ts'
import type { WorkBudget } from './work-budget.ts'

/** A stretch of a file in conflict: what is merged already, or what each side has there. */
export type ConflictPart = { same: Uint8Array } | { ours: Uint8Array; theirs: Uint8Array }

/** What somebody decided for one conflict. */
export type Choice = 'ours' | 'theirs' | 'both' | { text: string }

const LF = 10

/** The parts of a merged text in their order, the conflicts among them as `mergeContents` marks them. @throws GitError `limit` */
export function* conflictParts(contents: Contents, budget: WorkBudget): Steps<ConflictPart[]> {
  const { table, files } = yield* splitContents(contents)
  const { base, ours, theirs } = files
  const hunks = yield* threeWayHunks({ base: base.ids, ours: ours.ids, theirs: theirs.ids, ids: table.size }, { budget })
  const parts: ConflictPart[] = []
  let merged: Uint8Array[] = []
  let at = 0
  for (const hunk of hunks) {
    if (hunk.take === 'same') continue
    const [fromOurs, fromTheirs] = [slice(ours, hunk.ours, hunk.oursCount), slice(theirs, hunk.theirs, hunk.theirsCount)]
    merged.push(slice(ours, at, hunk.ours - at))
    if (hunk.take === 'conflict') {
      parts.push({ same: Buffer.concat(merged) }, { ours: fromOurs, theirs: fromTheirs })
      merged = []
    } else if (hunk.take === 'both') merged.push(fromOurs, fromTheirs)
    else merged.push(hunk.take === 'ours' ? fromOurs : fromTheirs)
    at = hunk.ours + hunk.oursCount
  }
  return [...parts, { same: Buffer.concat([...merged, slice(ours, at, ours.count - at)]) }]
}

/** The file that the choices make of it, one for each conflict in their order. Lines keep the breaks that the file has. */
export function solveParts(parts: readonly ConflictPart[], choices: readonly Choice[]): Uint8Array {
  const left = [...choices]
  const chosen = parts.flatMap((part) => ('same' in part ? [part.same] : chosenOf(part, left.shift() ?? 'ours'))).filter((bytes) => bytes.length > 0)
  return Buffer.concat(chosen.flatMap((bytes, i) => (i + 1 < chosen.length && bytes.at(-1) !== LF ? [bytes, Buffer.from('\n')] : [bytes])))
}

function chosenOf({ ours, theirs }: { ours: Uint8Array; theirs: Uint8Array }, choice: Choice): Uint8Array[] {
  if (choice === 'both') return [ours, theirs]
  if (choice === 'ours' || choice === 'theirs') return [choice === 'ours' ? ours : theirs]
  const hasCr = Buffer.concat([ours, theirs]).includes('\r\n')
  return [Buffer.from(choice.text.replace(/\r?\n/g, hasCr ? '\r\n' : '\n'))]
}

function slice({ data, starts }: Lines, from: number, count: number): Uint8Array {
  return count <= 0 ? new Uint8Array() : data.subarray(starts[from], starts[from + count])
}
