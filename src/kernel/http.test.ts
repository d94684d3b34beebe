import { describe, expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { property } from '../../test/seeds.ts'
import { parseJsonBody } from './bodies/json-body.ts'
import { Database, type Row } from './db.ts'
import { pathOf, queryOf, readBody, renderProblem, uncheckedPages } from './http.ts'
import { lineLog } from './log.ts'

async function read(body: string | Uint8Array, names?: readonly string[]): Promise<unknown> {
  return parseJsonBody(Buffer.from(body as string), names)
}

test('path and query of a request are found whatever its Host header says', () => {
  for (const host of ['localhost:3000', 'x', '[::', 'x:99999999', '%00', '<>']) {
    const url = `http://${host}/api/v1/version?a=b?c`
    expect([pathOf(url), queryOf(url)]).toEqual(['/api/v1/version', '?a=b?c'])
  }
  expect([pathOf('http://localhost'), queryOf('http://localhost/')]).toEqual(['/', ''])
})

test('a body in very many pieces lets others have their turns', async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let i = 0; i < 4000; i++) controller.enqueue(Buffer.from('a'))
      controller.close()
    },
  })
  const request = new Request('http://localhost/', { method: 'POST', body })
  expect((await readBody(request, 4000, { seconds: 60, bytes: 1 })).length).toBe(4000)
  clearImmediate(next)
  expect(turns).toBeGreaterThan(100)
})

property('what stands in texts counts for nothing, whatever quotes and backslashes are there', 200, (random) => {
  const text = Array.from({ length: random.below(400) }, () => random.pick(['"', '\\', '[', '{', ':', ',', 'a'])).join('')
  const body = { a: text, b: [text, { c: text }], d: '"', e: 1 }
  expect(parseJsonBody(Buffer.from(JSON.stringify(body)))).toEqual(body)
  expect(() => parseJsonBody(Buffer.from(JSON.stringify({ a: text }).slice(0, -2)))).toThrow('Cannot parse the body as JSON')
  expect(() => parseJsonBody(Buffer.from(`{"a":${JSON.stringify(text)},"b":${'['.repeat(70)}`))).toThrow('nested more than')
})

test('a body whose names are its bulk is refused, and one of long texts is not', async () => {
  const long = 'x'.repeat(1000)
  const named = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${long}${i}`, 1]))
  expect(await outcome(read(JSON.stringify(named)))).toThrow('the names of its members are longer than')
  const texts = { a: Array.from({ length: 2000 }, () => long), b: { c: long.repeat(2000) } }
  expect(await read(JSON.stringify(texts))).toEqual(texts)
})

test('lists in lists are items of theirs, however few commas stand between them', async () => {
  const lists = (count: number) => `{"a":[${Array.from({ length: count }, () => `${'['.repeat(60)}${']'.repeat(60)}`).join(',')}]}`
  expect(await outcome(read(lists(1100)))).toThrow('65536 items')
  expect(await read(lists(1000))).toEqual({ a: expect.any(Array) })
})

test('a JSON body reads as Go would read it', async () => {
  expect(await read('')).toEqual({})
  expect(await read('{"a":null,"b":1}')).toEqual({ b: 1 })
  expect(await read(String.raw`{"a":"\ud800","b":["x\uDFFFy","\ud83d\udca9"]}`)).toEqual({ a: '\ufffd', b: ['x\ufffdy', '💩'] })
  expect(JSON.stringify(await read(String.raw`{"a":[{"__proto__":"\udc00","b":[null,1,["\ud800"]]}]}`))).toBe(
    '{"a":[{"__proto__":"\ufffd","b":[null,1,["\ufffd"]]}]}',
  )
})

test('a body cannot reach the prototype of anything', async () => {
  const body = (await read('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}}}')) as Record<
    string,
    object
  >
  expect('polluted' in {}).toBe(false)
  expect('polluted' in body).toBe(false)
  expect(Object.getPrototypeOf(body.a)).toBe(Object.prototype)
})

test.each(['{', '[[[', '{"a":1e}', 'nul', '"\u0000"', Uint8Array.of(0x22, 0xff, 0x22), '['.repeat(9000)])('%j is refused', async (body) => {
  expect(await outcome(read(body))).toThrow('Cannot parse the body as JSON')
})

test('a body nested without end is refused, one with brackets in its texts is not', async () => {
  for (const open of ['[', '{"a":']) expect(await outcome(read(open.repeat(1000)))).toThrow('more than 64 levels deep')
  expect(await outcome(read(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`))).toThrow('more than 64 levels deep')
  const text = '[{\\"'.repeat(500)
  expect(await read(JSON.stringify({ text, list: Array.from({ length: 200 }, () => [{}]) }))).toMatchObject({ text })
})

test('a row that refers to one that has just gone is answered as absent, and told at debug', () => {
  const lines: string[] = []
  using db = Object.assign(new Database(':memory:'), { [Symbol.dispose]: () => db.close() })
  db.exec(
    'CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT; CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES parent (id)) STRICT',
  )
  const log = lineLog('debug', (line) => lines.push(line))
  const render = (row: Row) => {
    try {
      return db.tx((tx) => tx.insert('child', row))
    } catch (error) {
      return renderProblem(error, new Request('http://localhost/x'), 'http://localhost/', log).status
    }
  }
  expect(render({ parent_id: 5 })).toBe(404)
  expect(lines).toEqual([expect.stringMatching(/ debug .*path="\/x"/)])
  expect(render({ parent_id: null })).toBe(500)
})

test('of a database that is damaged or cannot be read it is said so, and the log says what to do', async () => {
  const lines: string[] = []
  const error = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' })
  const answer = renderProblem(
    error,
    new Request('http://localhost/x'),
    'http://localhost/',
    lineLog('error', (line) => lines.push(line)),
  )
  const { message } = (await answer.json()) as { message: string }
  expect([answer.status, lines.length, lines[0]]).toEqual([503, 1, expect.stringContaining('stop the server and run "pocketforge doctor"')])
  expect(message).toContain('database is damaged or unreadable: no changes were saved')
})

describe('a list that is made page by page', () => {
  const pages = async function* (counts: readonly number[], made: number[] = []) {
    for (const count of counts) {
      made.push(count)
      yield Array.from({ length: count }, (_, i) => ({ i, text: 'x'.repeat(1000) }))
    }
  }
  const answer = async (counts: readonly number[], made?: number[]) =>
    (await uncheckedPages(pages(counts, made), async (source) => source)) as unknown as Response

  test.each([[[]], [[0]], [[0, 3, 0, 2, 0]], [[400, 1, 0, 700]]])('of %j entries is one list', async (counts) => {
    const response = await answer(counts)
    expect(response.headers.get('content-type')).toStartWith('application/json')
    expect((await response.json()) as unknown[]).toHaveLength(counts.reduce((sum, count) => sum + count, 0))
  })

  test('is not made any further than it is taken', async () => {
    const made: number[] = []
    const response = await answer([300, 300, 300, 300, 300], made)
    expect(made).toEqual([300])
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await reader.read()
    expect(made).toEqual([300, 300])
    await reader.cancel()
  })

  test('that fails at once is an error, and later is cut off', async () => {
    const failing = async function* (first: number) {
      yield* pages([first])
      throw new Error('the worker is gone')
    }
    expect(await outcome(uncheckedPages(failing(1), async (source) => source))).toThrow('the worker is gone')
    const response = (await uncheckedPages(failing(300), async (source) => source)) as unknown as Response
    expect(await outcome(response.text())).toThrow('the worker is gone')
  })
})
