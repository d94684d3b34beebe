import { zlib } from '../zlib.ts'

/** What a zlib stream begins with when little time was taken for it. Source: RFC 1950. */
const QUICK_HEADER = [0x78, 0x01]
const CHECK_BYTES = 4

/** Deflates small things that will not stay for long: as zlib's level 1, without setting up a stream of node's. */
export function deflateQuickly(data: Uint8Array): Uint8Array {
  const raw = Bun.deflateSync(data as Uint8Array<ArrayBuffer>, { level: 1 })
  const stream = Buffer.allocUnsafe(QUICK_HEADER.length + raw.length + CHECK_BYTES)
  stream.set(QUICK_HEADER)
  stream.set(raw, QUICK_HEADER.length)
  stream.writeUInt32BE(Bun.hash.adler32(data), stream.length - CHECK_BYTES)
  return stream
}

/** Deflates pieces one after another, of which none has to stay as it was once the next is asked for; `onPiece` sees each before. */
export async function* deflatedPieces(
  pieces: AsyncIterable<Uint8Array>,
  level: number,
  onPiece: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const deflate = zlib().createDeflate({ level })
  const made: Uint8Array[] = []
  deflate.on('data', (bytes: Uint8Array) => made.push(bytes))
  try {
    for await (const bytes of pieces) {
      onPiece(bytes)
      await new Promise<void>((resolve, reject) => deflate.write(bytes, (error) => (error ? reject(error) : resolve())))
      yield* made.splice(0)
    }
    await new Promise<void>((resolve, reject) => deflate.once('end', resolve).once('error', reject).end())
    yield* made.splice(0)
  } finally {
    deflate.destroy()
  }
}
