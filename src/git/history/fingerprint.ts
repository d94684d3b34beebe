import { isSpace, type Lines } from '../diff/lines.ts'

/** What a line is roughly like: how often each pair of neighbouring letters is in it, whatever their case; blanks are all the same. */
export type Fingerprint = Map<number, number>

/** The fingerprint of one line. Source: git's `blame.c`, `get_fingerprint`. */
export function fingerprintOf({ data, starts }: Lines, index: number): Fingerprint {
  const print: Fingerprint = new Map()
  let before = 0
  for (let at = starts[index] as number; at <= (starts[index + 1] as number); at++) {
    const byte = at === starts[index + 1] || isSpace(data[at] as number) ? 0 : lowerCase(data[at] as number)
    const pair = before | (byte << 8)
    if (pair !== 0) print.set(pair, (print.get(pair) ?? 0) + 1)
    before = byte
  }
  return print
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte
}

/** How many pairs both have. */
export function similarity(a: Fingerprint, b: Fingerprint): number {
  let shared = 0
  for (const [pair, count] of b) shared += Math.min(count, a.get(pair) ?? 0)
  return shared
}

/** Takes the pairs of `b` out of `a`. */
export function subtract(a: Fingerprint, b: Fingerprint): void {
  for (const [pair, count] of b) {
    const left = (a.get(pair) ?? 0) - count
    if (left > 0) a.set(pair, left)
    else a.delete(pair)
  }
}
