import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../../test/eventually.ts'
import { outcome } from '../../../test/outcome.ts'
import { type ArchiveBuild, ArchiveCache } from './archive-cache.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pf-cache-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** A build under the test's control. */
class Work {
  begun = 0
  isAborted = false
  readonly #gate = Promise.withResolvers<void>()
  readonly #text: string

  constructor(text: string, isHeld = false) {
    this.#text = text
    // It may be let go before the build has come so far as to wait.
    this.#gate.promise.catch(() => {})
    if (!isHeld) this.#gate.resolve()
  }

  release(error?: Error): void {
    if (error) this.#gate.reject(error)
    else this.#gate.resolve()
  }

  readonly build = (): ArchiveBuild => {
    this.begun++
    const [gate, text] = [this.#gate.promise, this.#text]
    async function* outgoing() {
      yield Buffer.from(text.slice(0, 2))
      await gate
      yield Buffer.from(text.slice(2))
    }
    const abort = () => {
      this.isAborted = true
      this.#gate.reject(new Error('aborted'))
    }
    return { outgoing: outgoing(), result: Promise.resolve(), abort }
  }
}

const cacheOf = (maxBytes = 100) => new ArchiveCache({ directory, maxBytes })
/** A build is under way: its first bytes have been written. */
async function begun(): Promise<void> {
  await eventually(() => readdirSync(directory).some((name) => name.endsWith('.partial') && statSync(join(directory, name)).size > 0))
}
const textOf = async (cache: ArchiveCache, name: string, text: string) => new Response((await cache.open(name, new Work(text).build))?.stream()).text()

test('what was asked for once is built once, and parts of it can be read', async () => {
  const cache = cacheOf()
  const work = new Work('0123456789')
  for (let i = 0; i < 3; i++) expect(await new Response((await cache.open('1-a.zip', work.build))?.stream(i, i + 5)).text()).toBe('0123456789'.slice(i, i + 5))
  expect([work.begun, readdirSync(directory)]).toEqual([1, ['1-a.zip']])
})

test('those who ask while it is being built wait for the one build', async () => {
  const cache = cacheOf()
  const work = new Work('content', true)
  const asked = [cache.open('a', work.build), cache.open('a', work.build), cache.open('a', work.build)]
  await begun()
  expect(readdirSync(directory).map((name) => name.split('.').at(-1))).toEqual(['partial'])
  work.release()
  for (const file of await Promise.all(asked)) expect(await new Response(file?.stream()).text()).toBe('content')
  expect(work.begun).toBe(1)
})

test('the build goes on while one of them waits, and ends with the last', async () => {
  const cache = cacheOf()
  const work = new Work('content', true)
  const [first, second] = [new AbortController(), new AbortController()]
  const asked = [cache.open('a', work.build, first.signal), cache.open('a', work.build, second.signal)]
  await begun()
  first.abort(new Error('left'))
  expect(await outcome(asked[0])).toThrow('left')
  expect(work.isAborted).toBe(false)
  second.abort(new Error('left too'))
  expect(await outcome(asked[1])).toThrow('left too')
  expect(work.isAborted).toBe(true)
  expect(await textOf(cache, 'a', 'anew')).toBe('anew')
  // What the one given up had written goes while nobody waits for it any more.
  await eventually(() => readdirSync(directory).length === 1)
  expect(readdirSync(directory)).toEqual(['a'])
})

test('a build that fails leaves nothing, tells all who waited, and the next may succeed', async () => {
  const cache = cacheOf()
  const work = new Work('content', true)
  const settled = Promise.allSettled([cache.open('a', work.build), cache.open('a', work.build)])
  await begun()
  work.release(new Error('corrupt'))
  expect((await settled).map((one) => one.status === 'rejected' && one.reason.message)).toEqual(['corrupt', 'corrupt'])
  expect(readdirSync(directory)).toEqual([])
  expect(await textOf(cache, 'a', 'good')).toBe('good')
})

test('what was used longest ago goes first', async () => {
  const cache = cacheOf(30)
  for (const name of ['a', 'b', 'c']) await textOf(cache, name, '0123456789')
  await textOf(cache, 'a', 'never built')
  await textOf(cache, 'd', '0123456789')
  expect(readdirSync(directory).sort()).toEqual(['a', 'c', 'd'])
})

test('an archive that leaves the cache while it is read is read to its end', async () => {
  const cache = cacheOf(10)
  const file = await cache.open('a', new Work('0123456789').build)
  await textOf(cache, 'b', 'abcdefghij')
  expect(readdirSync(directory)).toEqual(['b'])
  expect(await new Response(file?.stream()).text()).toBe('0123456789')
})

test('an archive larger than the cache is not kept', async () => {
  const work = new Work('0123456789x')
  const cache = cacheOf(10)
  await textOf(cache, 'small', 'abc')
  expect(await cache.open('a', work.build)).toBeUndefined()
  expect([work.isAborted, readdirSync(directory)]).toEqual([true, []])
})

test('what an earlier run kept is used, what it did not finish goes, and a smaller bound holds', async () => {
  await textOf(cacheOf(), 'a', '0123456789')
  utimesSync(join(directory, 'a'), 1_700_000_000, 1_700_000_000)
  await textOf(cacheOf(), 'b', '0123456789')
  writeFileSync(join(directory, 'c.7.partial'), 'half')
  expect(await textOf(cacheOf(15), 'b', 'never built')).toBe('0123456789')
  expect(readdirSync(directory)).toEqual(['b'])
})

test('a file that somebody removed is built anew', async () => {
  const cache = cacheOf()
  await textOf(cache, 'a', 'old')
  rmSync(join(directory, 'a'))
  expect(await textOf(cache, 'a', 'new')).toBe('new')
})

test('a file that somebody removed takes no room from others', async () => {
  const cache = cacheOf(20)
  for (const name of ['a', 'b', 'a']) await textOf(cache, name, '0123456789')
  rmSync(join(directory, 'a'))
  await textOf(cache, 'a', 'abcdefghij')
  expect(readdirSync(directory).sort()).toEqual(['a', 'b'])
})

test('what belongs to a removed repository is forgotten', async () => {
  const cache = cacheOf()
  for (const name of ['1-a', '1-b', '11-a']) await textOf(cache, name, 'x')
  await cache.forget('1-')
  expect(readdirSync(directory)).toEqual(['11-a'])
})

test.each(['../a', 'a/b', '', '.hidden', 'a\0', 'x'.repeat(300), 'a.partial'])('"%s" is no name', async (name) => {
  expect(await outcome(cacheOf().open(name, new Work('x').build))).toThrow('bad name')
})
