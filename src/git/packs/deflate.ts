/** What a zlib stream begins with when little time was taken for it. Source: RFC 1950. */
const QUICK_HEADER = [0x78, 0x01]
const CHECK_BYTES = 4
const MODULUS = 65521
/** So many bytes can be summed up before the sums must be reduced. Source: RFC 1950, zlib's `NMAX`. */
const STRETCH = 5552

/** Deflates small things that will not stay for long: as zlib's level 1, without setting up a stream of node's. */
export function deflateQuickly(data: Uint8Array): Uint8Array {
  const raw = Bun.deflateSync(data as Uint8Array<ArrayBuffer>, { level: 1 })
  const stream = Buffer.allocUnsafe(QUICK_HEADER.length + raw.length + CHECK_BYTES)
  stream.set(QUICK_HEADER)
  stream.set(raw, QUICK_HEADER.length)
  stream.writeUInt32BE(adler32(data), stream.length - CHECK_BYTES)
  return stream
}

/** The check at the end of a zlib stream. Source: RFC 1950. */
function adler32(data: Uint8Array): number {
  let a = 1
  let b = 0
  for (let at = 0; at < data.length; ) {
    const end = Math.min(at + STRETCH, data.length)
    for (; at < end; at++) {
      a += data[at] as number
      b += a
    }
    a %= MODULUS
    b %= MODULUS
  }
  return b * 65536 + a
}
