import { zlib } from '../zlib.ts'
import { deflatedAtMost } from './inflate.ts'
import { ZlibEngine } from './zlib-engine.ts'

/** What a zlib stream begins with when little time was taken for it. Source: RFC 1950. */
const QUICK_HEADER = [0x78, 0x01]
const CHECK_BYTES = 4

/** Room for what most objects come to. */
const ROOM_BYTES = 256 * 1024

/** One for each thread, and where it writes. */
let engine: ZlibEngine | undefined
let room: Buffer | undefined

/** Deflates as zlib does by itself, which is git's choice, too. */
export function deflateWhole(data: Uint8Array): Uint8Array {
  if (deflatedAtMost(data.length) > ROOM_BYTES) return zlib().deflateSync(data)
  engine ??= new ZlibEngine(zlib().createDeflate())
  room ??= Buffer.allocUnsafeSlow(ROOM_BYTES)
  const { hasFailed, made } = engine.run(data, 0, data.length, room, 0, ROOM_BYTES)
  if (hasFailed) throw new Error(`Cannot deflate ${data.length} bytes`)
  return Uint8Array.prototype.slice.call(room, 0, made)
}

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
