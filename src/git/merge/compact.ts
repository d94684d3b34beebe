/**
 * Moves each group of changed lines that could as well stand elsewhere (because the line before it equals its last one, or the line behind it
 * its first) as far down as it goes, or to where the other side has changes too; groups that meet become one. To be called for both sides,
 * one after the other. Source: `xdl_change_compact` of `xdiff/xdiffi.c`, without the indent heuristic, which merges do not use.
 */
export function compactChanges(ids: Int32Array, changed: Uint8Array, otherIds: Int32Array, otherChanged: Uint8Array): void {
  const group = new Group(ids, changed)
  const other = new Group(otherIds, otherChanged)
  do {
    if (group.end > group.start) slide(group, other)
  } while (group.next() && other.next())
}

function slide(group: Group, other: Group): void {
  let matching: number
  let highest: number
  let size: number
  do {
    size = group.end - group.start
    while (group.slideUp()) other.previous()
    highest = group.end
    matching = other.end > other.start ? group.end : -1
    while (group.slideDown()) {
      other.next()
      if (other.end > other.start) matching = group.end
    }
  } while (size !== group.end - group.start)
  if (group.end === highest || matching < 0) return
  while (other.end === other.start) {
    group.slideUp()
    other.previous()
  }
}

/** A run of changed lines, maybe empty: between any two unchanged lines there is one. */
class Group {
  readonly #ids: Int32Array
  readonly #changed: Uint8Array
  start = 0
  end = 0

  constructor(ids: Int32Array, changed: Uint8Array) {
    this.#ids = ids
    this.#changed = changed
    this.#extendDown()
  }

  next(): boolean {
    if (this.end === this.#ids.length) return false
    this.start = this.end = this.end + 1
    this.#extendDown()
    return true
  }

  previous(): void {
    this.end = this.start = this.start - 1
    this.#extendUp()
  }

  slideDown(): boolean {
    if (this.end === this.#ids.length || this.#ids[this.start] !== this.#ids[this.end]) return false
    this.#changed[this.start++] = 0
    this.#changed[this.end++] = 1
    this.#extendDown()
    return true
  }

  slideUp(): boolean {
    if (this.start === 0 || this.#ids[this.start - 1] !== this.#ids[this.end - 1]) return false
    this.#changed[--this.start] = 1
    this.#changed[--this.end] = 0
    this.#extendUp()
    return true
  }

  #extendDown(): void {
    while (this.end < this.#ids.length && this.#changed[this.end] === 1) this.end++
  }

  #extendUp(): void {
    while (this.start > 0 && this.#changed[this.start - 1] === 1) this.start--
  }
}
