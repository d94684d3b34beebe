import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { Progress, TooSlow } from '#kernel/pace.ts'
import { fakeTimers } from '../../../test/fake-timers.ts'
import { outcome } from '../../../test/outcome.ts'
import { gitBody, respond } from './body.ts'

function request(body: string | Uint8Array | ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  return new Request('http://localhost/', { method: 'POST', body, headers })
}

const pace = { seconds: 10, bytes: 1000 }
const within = (maxBytes: number, seconds: number) => ({ maxBytes, seconds, pace })

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of body) size += chunk.length
  return size
}

test('a body is read up to its limit, counted after it is inflated', async () => {
  const zipped = gzipSync(Buffer.alloc(100_000))
  const gzip = { 'Content-Encoding': 'gzip' }
  expect(await sizeOf(gitBody(request('x'.repeat(1000)), within(1000, 10)))).toBe(1000)
  expect(await sizeOf(gitBody(request(zipped, gzip), within(100_000, 10)))).toBe(100_000)
  expect(await outcome(sizeOf(gitBody(request('x'.repeat(1001)), within(1000, 10))))).toThrow('larger than 1000 bytes')
  expect(await sizeOf(gitBody(request(zipped, { 'Content-Encoding': 'GZip' }), within(100_000, 10)))).toBe(100_000)
  expect(await outcome(sizeOf(gitBody(request(zipped, gzip), within(99_999, 10))))).toThrow('larger than 99999 bytes')
})

test('a body that does not end in time is given up, whatever it trickles', async () => {
  for (const headers of [{}, { 'Content-Encoding': 'gzip' }] as Record<string, string>[]) {
    let cancelled = false
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(gzipSync('x').subarray(0, 5)),
      cancel: () => {
        cancelled = true
      },
    })
    expect(await outcome(sizeOf(gitBody(request(silent, headers), within(1000, 0.02))))).toThrow('longer than 0.02 seconds')
    expect(cancelled).toBe(true)
  }
})

test('a body that is not the gzip it is said to be is the client’s mistake', async () => {
  expect(await outcome(sizeOf(gitBody(request('plain text', { 'Content-Encoding': 'gzip' }), within(1000, 10))))).toThrow('does not match its Content-Encoding')
  expect(await outcome(sizeOf(gitBody(request(gzipSync('x'.repeat(1000)).subarray(0, 20), { 'Content-Encoding': 'gzip' }), within(1000, 10))))).toThrow(
    'Cannot read the request body',
  )
  expect(() => gitBody(request('x', { 'Content-Encoding': 'br' }), within(1000, 10))).toThrow('"br" is not supported')
})

const KB = Buffer.alloc(1024)

test('a reader who is slow and goes on gets all of it', async () => {
  using time = fakeTimers()
  const body = await respond(
    async (sink) => {
      for (let i = 0; i < 300; i++) await sink.write(KB)
    },
    new Progress({ seconds: 1, bytes: 1024 }),
  )
  let size = 0
  for await (const bytes of body as ReadableStream<Uint8Array>) {
    size += bytes.length
    if (size % (20 * 1024) === 0) await time.advance(80)
  }
  expect(size).toBe(300 * 1024)
})

test('an answer that is soon whole is one piece, and one that is long or slow a stream with all of it', async () => {
  const short = await respond(async (sink) => {
    for (let i = 0; i < 3; i++) await sink.write(KB)
  }, new Progress(pace))
  expect(short).toBeInstanceOf(Uint8Array)
  expect((short as Uint8Array).length).toBe(3 * 1024)
  const long = await respond(async (sink) => {
    for (let i = 0; i < 1000; i++) await sink.write(KB)
  }, new Progress(pace))
  expect(long).toBeInstanceOf(ReadableStream)
  expect((await new Response(long).bytes()).length).toBe(1000 * 1024)
  using time = fakeTimers()
  const slow = await respond(async (sink) => {
    await sink.write(Buffer.from('one '))
    await time.advance(80)
    await sink.write(Buffer.from('two'))
  }, new Progress(pace))
  expect(slow).toBeInstanceOf(ReadableStream)
  expect(await new Response(slow).text()).toBe('one two')
})

test('an answer that fails is cut off, and its maker hears of it once', async () => {
  for (const written of [0, 1000]) {
    const heard: unknown[] = []
    const failing = async (sink: { write(bytes: Uint8Array): Promise<void> }) => {
      for (let i = 0; i < written; i++) await sink.write(KB)
      throw new Error('broken')
    }
    const body = await respond(failing, new Progress(pace), { end: (error) => heard.push((error as Error).message) })
    const outcome = await new Response(body).bytes().then(
      () => 'whole',
      () => 'cut off',
    )
    expect([outcome, heard]).toEqual(['cut off', ['broken']])
  }
})

const hurried = { seconds: 0.05, bytes: 1000 }

test('a body is given up as soon as it does not come on, however slowly it trickles, and however long the server takes meanwhile', async () => {
  using time = fakeTimers()
  const trickle = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await time.advance(10)
      controller.enqueue(Buffer.from('x'))
    },
  })
  expect(await outcome(sizeOf(gitBody(request(trickle), { maxBytes: 1e6, seconds: 10, pace: hurried })))).toThrow('fewer than 1000 bytes in 0.05 seconds')
  let size = 0
  for await (const chunk of gitBody(request(new Blob([Buffer.alloc(3000)]).stream()), { maxBytes: 1e6, seconds: 10, pace: hurried })) {
    await time.advance(80)
    size += chunk.length
  }
  expect(size).toBe(3000)
})

test('an answer that is not taken is given up, and its maker hears why', async () => {
  const ended = Promise.withResolvers<unknown>()
  let gone = 0
  await respond(
    async (sink) => {
      for (let i = 0; i < 10_000; i++) await sink.write(KB)
    },
    new Progress(hurried),
    { end: ended.resolve, gone: () => gone++ },
  )
  expect(await ended.promise).toBeInstanceOf(TooSlow)
  expect(gone).toBe(1)
})

test('a body of very many small pieces keeps nobody waiting until all of it has come', async () => {
  const pieces = 20_000
  let sent = 0
  const crumbs = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ === pieces) controller.close()
      else controller.enqueue(Buffer.alloc(50))
    },
  })
  let turns = 0
  const count = () => {
    turns++
    if (sent <= pieces) setImmediate(count)
  }
  setImmediate(count)
  expect(await sizeOf(gitBody(request(crumbs), within(pieces * 50, 10)))).toBe(pieces * 50)
  expect(turns).toBeGreaterThan(pieces / 32)
})

test('others have their turn while a reader takes all that there is, however fast', async () => {
  const body = await respond(async (sink) => {
    for (let i = 0; i < 200_000; i++) await sink.write(KB)
  }, new Progress(pace))
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  let hasTurn = false
  setImmediate(() => (hasTurn = true))
  let pieces = 0
  while (!hasTurn && !(await reader.read()).done) pieces++
  await reader.cancel()
  expect([hasTurn, pieces < 200_000]).toEqual([true, true])
})
