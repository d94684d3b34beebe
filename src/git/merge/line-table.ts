/** The lines of one file: where each begins, and a number that equal lines of the files compared share. */
export interface Lines {
  data: Uint8Array
  /** Where each line begins, and at last the length of the data. */
  starts: Int32Array
  /** A line break is part of its line, so a last line without one differs from the same line with one. */
  ids: Int32Array
  count: number
}

const LF = 10

/** Numbers the lines of files that are compared with each other. */
export class LineTable {
  readonly #known = new Map<string, number>()

  /** All numbers given so far are below this one. */
  get size(): number {
    return this.#known.size
  }

  split(data: Uint8Array): Lines {
    const starts = lineStarts(data)
    const count = starts.length - 1
    const ids = new Int32Array(count)
    for (let i = 0; i < count; i++) ids[i] = this.#idOf(Buffer.prototype.latin1Slice.call(data, starts[i], starts[i + 1]))
    return { data, starts, ids, count }
  }

  #idOf(line: string): number {
    const known = this.#known.get(line)
    if (known !== undefined) return known
    const id = this.#known.size
    this.#known.set(line, id)
    return id
  }
}

function lineStarts(data: Uint8Array): Int32Array {
  const starts: number[] = []
  for (let at = 0; at < data.length; ) {
    starts.push(at)
    const lf = data.indexOf(LF, at)
    at = lf < 0 ? data.length : lf + 1
  }
  starts.push(data.length)
  return Int32Array.from(starts)
}
