/** How many lines a change adds and takes away. */
export interface LineStats {
  additions: number
  deletions: number
}

/** Edit distances beyond this are not worked out: what is left counts as changed. The work grows with its square. */
const MAX_DISTANCE = 4000
/** As git looks for a NUL to tell binary files; `buffer_is_binary` in `xdiff-interface.c`. */
const SNIFFED_BYTES = 8000

/**
 * Counts the lines of the shortest edit from `before` to `after`; nothing for binary content. What `git diff --numstat
 * --minimal` says, unless more than some thousand lines that occur on both sides have changed places.
 * Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", section 2.
 */
export function lineStats(before: Uint8Array, after: Uint8Array): LineStats {
  if (isBinary(before) || isBinary(after)) return { additions: 0, deletions: 0 }
  const ids = new Map<string, number>()
  const [a, b] = trimSame(lineIds(before, ids), lineIds(after, ids))
  const sharedA = onlyIn(b, a)
  const sharedB = onlyIn(a, b)
  const distance = editDistance(sharedA, sharedB)
  const deletions = (distance + sharedA.length - sharedB.length) / 2
  return { deletions: a.length - sharedA.length + deletions, additions: b.length - sharedB.length + distance - deletions }
}

export function isBinary(data: Uint8Array): boolean {
  const nul = data.indexOf(0)
  return nul >= 0 && nul < SNIFFED_BYTES
}

/** Each line, its line break included, by a number that equal lines share. */
function lineIds(data: Uint8Array, ids: Map<string, number>): number[] {
  const lines: number[] = []
  for (let start = 0; start < data.length; ) {
    const lf = data.indexOf(10, start)
    const end = lf < 0 ? data.length : lf + 1
    const line = Buffer.prototype.latin1Slice.call(data, start, end)
    let id = ids.get(line)
    if (id === undefined) ids.set(line, (id = ids.size))
    lines.push(id)
    start = end
  }
  return lines
}

function trimSame(a: number[], b: number[]): [number[], number[]] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)]
}

/** The lines of `lines` that `other` has too: none of the rest can stay in an edit. */
function onlyIn(other: readonly number[], lines: readonly number[]): number[] {
  const known = new Set(other)
  return lines.filter((line) => known.has(line))
}

/** Lines to add plus lines to take away. `reach[k]` is how far the best path with so many edits gets on diagonal `k`. */
function editDistance(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(MAX_DISTANCE, a.length + b.length)
  const reach = new Int32Array(2 * most + 3)
  for (let distance = 0; distance <= most; distance++) {
    for (let k = -distance; k <= distance; k += 2) {
      const at = most + 1 + k
      let x = k === -distance || (k !== distance && reach[at - 1] < reach[at + 1]) ? reach[at + 1] : reach[at - 1] + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reach[at] = x
      if (x >= a.length && x - k >= b.length) return distance
    }
  }
  return a.length + b.length
}
