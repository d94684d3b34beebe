import { expect, test } from 'bun:test'
import { type HeldRequest, LargeRequests, readRequest } from './read-request.ts'

const KiB = 1024
/** Room for 256 KiB of large requests. */
const requests = () => new LargeRequests({ config: { server: { ANSWER_MEMORY: 2048 * KiB, PROGRESS_SECONDS: 60, PROGRESS_BYTES: 1 } } })

async function* body(kibibytes: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < kibibytes; i++) yield new Uint8Array(KiB)
}

const lengths = ({ pieces }: HeldRequest) => pieces.map(({ length }) => length / KiB)

test('small requests are read however many there are, and large ones while there is memory for them', async () => {
  const large = requests()
  const held = [await readRequest(body(100), large), await readRequest(body(156), large)]
  expect(lengths(await readRequest(body(64), large))).toEqual([64])
  await expect(readRequest(body(65), large)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } })
  for (const { release } of [...held, ...held]) release()
  expect(lengths(await readRequest(body(256), large))).toEqual([64, 64, 64, 64])
})

test('a request that would need all the memory and more is refused for good, and holds nothing', async () => {
  const large = requests()
  await expect(readRequest(body(257), large)).rejects.toMatchObject({ kind: 'limit' })
  expect(lengths(await readRequest(body(256), large))).toEqual([64, 64, 64, 64])
})
