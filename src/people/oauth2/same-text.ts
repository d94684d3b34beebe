import { timingSafeEqual } from 'node:crypto'
import { sha256Hex } from '#kernel/ids.ts'

/** Compares texts of any length; how long it takes tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(a)), Buffer.from(sha256Hex(b)))
}
