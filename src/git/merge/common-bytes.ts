/** How many bytes `a` and `b` begin with alike. */
export function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  return longest(Math.min(a.length, b.length), (from, to) => isSame(a, from, b, from, to - from))
}

/** How many bytes `a` and `b` end with alike, the first `skip` bytes of either left out. */
export function commonSuffix(a: Uint8Array, b: Uint8Array, skip: number): number {
  return longest(Math.min(a.length, b.length) - skip, (from, to) => isSame(a, a.length - to, b, b.length - to, to - from))
}

/** The largest length up to `most` of which all stretches are the same. Halving with a native comparison beats looking at each byte. */
function longest(most: number, isStretchSame: (from: number, to: number) => boolean): number {
  let same = 0
  let different = most + 1
  let tried = most
  while (same + 1 < different) {
    if (isStretchSame(same, tried)) same = tried
    else different = tried
    tried = (same + different) >>> 1
  }
  return same
}

function isSame(a: Uint8Array, at: number, b: Uint8Array, bAt: number, length: number): boolean {
  return Buffer.prototype.compare.call(a as Buffer, b, bAt, bAt + length, at, at + length) === 0
}
