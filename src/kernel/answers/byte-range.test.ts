import { expect, test } from 'bun:test'
import { cutStream, parseRange } from './byte-range.ts'

test.each([
  ['bytes=0-3', [0, 4]],
  ['bytes=3-', [3, 10]],
  ['bytes=-4', [6, 10]],
  ['bytes=-40', [0, 10]],
  ['bytes=9-100', [9, 10]],
  ['bytes=10-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=5-3', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=0-1', undefined],
  [null, undefined],
] as const)('of ten bytes, %s is %j', (header, expected) => {
  const found = parseRange(header, 10)
  expect(typeof found === 'object' ? [found.start, found.end] : found).toEqual(expected as never)
})

test('a stream is cut where the range says, wherever its chunks end', async () => {
  for (const size of [1, 3, 10]) {
    const chunks = Array.from({ length: Math.ceil(10 / size) }, (_, i) => Buffer.from('0123456789'.slice(i * size, (i + 1) * size)))
    const source = () => new ReadableStream<Uint8Array>({ pull: (c) => (chunks.length > 0 ? c.enqueue(chunks.shift() as Buffer) : c.close()) })
    expect(await new Response(cutStream(source(), { start: 2, end: 7 })).text()).toBe('23456')
  }
})
