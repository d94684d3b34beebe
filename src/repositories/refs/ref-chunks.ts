import type { SnapshotRef } from '#git/protocol/context.ts'
import { encodeRefs, type RefChunk } from '#git/workers/ref-list.ts'
import { breathe, isDue } from '#kernel/breathe.ts'

/** A stretch of sorted refs that never changes. */
interface Stretch {
  refs: readonly SnapshotRef[]
  /** Made when first asked for. */
  chunk?: RefChunk
  bytes: number
}

/** A change of one ref: what it is now, or that it is gone. */
export interface ChangedRef {
  name: string
  now: SnapshotRef | undefined
}

const LENGTH = 1024
/** What a ref takes besides its name: two ids as strings, and the object. */
const REF_BYTES = 200

/** All refs of a repository, sorted by the bytes of their names, in stretches: a change makes one stretch anew and leaves the others. */
export class RefChunks {
  #stretches: Stretch[] = []
  #flat: readonly SnapshotRef[] | undefined

  /** What it takes in memory, about; time in the number of stretches. */
  get bytes(): number {
    return this.#stretches.reduce((sum, stretch) => sum + stretch.bytes, 0)
  }

  /** Appends refs that sort behind all others. */
  append(refs: readonly SnapshotRef[]): void {
    for (let at = 0; at < refs.length; at += LENGTH) this.#stretches.push(stretchOf(refs.slice(at, at + LENGTH)))
    this.#flat = undefined
  }

  change(changes: readonly ChangedRef[]): void {
    for (const change of changes) this.#change(change)
    if (changes.length > 0) this.#flat = undefined
  }

  /** The refs as they are now; later changes leave what it answers alone. */
  now(): { refs: readonly SnapshotRef[]; chunks(): Promise<RefChunk[]> } {
    this.#flat ??= this.#stretches.flatMap(({ refs }) => refs)
    const stretches = [...this.#stretches]
    return { refs: this.#flat, chunks: () => encodeAll(stretches) }
  }

  #change({ name, now }: ChangedRef): void {
    const key = Buffer.from(name)
    const found = firstIndex(this.#stretches.length, (i) => compare(this.#stretches[i]?.refs.at(-1)?.name ?? '', key) >= 0)
    const at = Math.min(found, Math.max(0, this.#stretches.length - 1))
    const refs = [...(this.#stretches[at]?.refs ?? [])]
    const place = firstIndex(refs.length, (i) => compare((refs[i] as SnapshotRef).name, key) >= 0)
    refs.splice(place, refs[place]?.name === name ? 1 : 0, ...(now ? [now] : []))
    const parts = refs.length > 2 * LENGTH ? [refs.slice(0, LENGTH), refs.slice(LENGTH)] : refs.length === 0 ? [] : [refs]
    this.#stretches.splice(at, 1, ...parts.map(stretchOf))
  }
}

async function encodeAll(stretches: readonly Stretch[]): Promise<RefChunk[]> {
  const chunks: RefChunk[] = []
  for (const stretch of stretches) {
    stretch.chunk ??= encodeRefs(stretch.refs)
    chunks.push(stretch.chunk)
    if (isDue()) await breathe()
  }
  return chunks
}

function stretchOf(refs: readonly SnapshotRef[]): Stretch {
  return { refs, bytes: refs.reduce((sum, ref) => sum + REF_BYTES + 2 * ref.name.length, 0) }
}

/** As SQLite and git sort names. */
function compare(name: string, key: Uint8Array): number {
  return Buffer.compare(Buffer.from(name), key)
}

/** The first number below `end` for which `holds`, or `end`; once it holds, it holds for all that follow. */
function firstIndex(end: number, holds: (i: number) => boolean): number {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
