import { breathe, isDue } from '#kernel/breathe.ts'
import type { GitLimits } from '../../limits.ts'
import type { BaseFrame } from './base-stack.ts'
import type { DeltaVisitor, PieceReceiver } from './delta-walk.ts'
import { DeltaWalk } from './delta-walk.ts'
import type { EntryColumns } from './entry-table.ts'
import { NONE } from './entry-table.ts'
import type { Forest } from './forest.ts'
import { type MemoryTurn, passIfOver } from './memory-turn.ts'
import { PackReader } from './pack-reader.ts'

export interface RevisitInput {
  packPath: string
  columns: EntryColumns
  count: number
  forest: Forest
  limits: GitLimits
  turn?: MemoryTurn
}

/** Gets the type and content of an entry; the content is good during the call only. */
export type OnRevisited = (entry: number, type: number, data: Uint8Array) => void

const UNMARKED = 0
const WANTED = 1
/** Not wanted itself, but a base of one that is. */
const ON_THE_WAY = 2
const STEP = 32

/**
 * Makes the given entries of a resolved pack once more, and none that they do not need.
 * @param receive takes large blobs that are made by deltas in pieces; without it `onObject` gets each whole
 */
export async function revisit(
  input: RevisitInput,
  entries: Iterable<number>,
  onObject: OnRevisited,
  receive?: (entry: number, type: number, size: number) => PieceReceiver,
): Promise<void> {
  const marks = markWithBases(input, entries)
  if (marks === undefined) return
  const reader = new PackReader(input.packPath)
  try {
    const { columns, count, forest, limits, turn } = input
    const visitor = new MarkedVisitor(marks, onObject, receive)
    const walk = new DeltaWalk({ columns, count, forest, reader, limits, cacheBytes: limits.deltaCacheBytes }, visitor)
    for (let root = 0; root < count; root++) {
      if (marks[root] === UNMARKED || columns.bases[root] !== NONE) continue
      walk.begin(root)
      while (!walk.isDone) {
        walk.step(STEP)
        if (!isDue() && !walk.hasEndedLarge) continue
        await passIfOver(turn, walk)
        await breathe()
      }
      if (isDue()) await breathe()
    }
  } finally {
    reader.close()
  }
}

function markWithBases(input: RevisitInput, entries: Iterable<number>): Uint8Array | undefined {
  let marks: Uint8Array | undefined
  for (const entry of entries) {
    marks ??= new Uint8Array(input.count)
    marks[entry] = WANTED
    for (let base = input.columns.bases[entry] as number; base !== NONE && marks[base] === UNMARKED; base = input.columns.bases[base] as number)
      marks[base] = ON_THE_WAY
  }
  return marks
}

class MarkedVisitor implements DeltaVisitor {
  readonly #marks: Uint8Array
  readonly #onObject: OnRevisited
  readonly receive?: DeltaVisitor['receive']

  constructor(marks: Uint8Array, onObject: OnRevisited, receive: NonNullable<DeltaVisitor['receive']> | undefined) {
    this.#marks = marks
    this.#onObject = onObject
    if (receive) this.receive = (entry, type, size) => (marks[entry] === WANTED ? receive(entry, type, size) : undefined)
  }

  wants(entry: number): boolean {
    return this.#marks[entry] !== UNMARKED
  }

  visit(entry: number, type: number, made: BaseFrame): void {
    if (this.#marks[entry] === WANTED) this.#onObject(entry, type, made.bytes.subarray(made.start, made.start + made.length))
  }
}
