/** A number of 1, 2, 4 or 8 bytes, least significant first. */
export type Field = readonly [bytes: 1 | 2 | 4 | 8, value: number]

export const MAX_U16 = 0xffff
export const MAX_U32 = 0xffffffff

export function fields(...list: readonly Field[]): Uint8Array {
  const out = Buffer.allocUnsafe(list.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of list) at = write(out, at, bytes, value)
  return out
}

/** Answers where the next field goes. */
function write(out: Buffer, at: number, bytes: Field[0], value: number): number {
  if (bytes === 1) return out.writeUInt8(value, at)
  if (bytes === 2) return out.writeUInt16LE(value, at)
  return bytes === 4 ? out.writeUInt32LE(value, at) : out.writeBigUInt64LE(BigInt(value), at)
}

const FIRST_YEAR = 1980
const LAST_YEAR = 2107

/** MS-DOS date and time in UTC, for what it can tell: 1980 to 2107, in steps of two seconds. @param seconds since 1970 */
export function dosTime(seconds: number): { date: number; time: number } {
  const when = new Date(seconds * 1000)
  const year = when.getUTCFullYear()
  if (year < FIRST_YEAR) return { date: (1 << 5) | 1, time: 0 }
  if (year > LAST_YEAR) return { date: ((LAST_YEAR - FIRST_YEAR) << 9) | (12 << 5) | 31, time: (23 << 11) | (59 << 5) | 29 }
  const date = ((year - FIRST_YEAR) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate()
  return { date, time: (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1) }
}
