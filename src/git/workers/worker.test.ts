import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../../../test/eventually.ts'
import { Random } from '../../../test/generate-history.ts'
import { git, makeHistory, temporaryDirectory } from '../../../test/git-fixture.ts'
import { honestPack } from '../../../test/hostile-packs.ts'
import { PackBuilder } from '../../../test/pack-builder.ts'
import { PATIENCE } from '../../../test/seeds.ts'
import { defaultLimits } from '../limits.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** One thread, spoken to message by message, as the pool speaks to it and as it must never break whatever comes. */
const root = temporaryDirectory()
const origin = join(root.path, 'origin.git')
makeHistory(origin, { commits: 30, files: 6 })
const main = git(['rev-parse', 'main'], { cwd: origin }).toString().trim()
const repo = { path: origin, limits: defaultLimits }
let worker: Worker
let heard: FromWorker[] = []
let wake: (() => void) | undefined
const failures: string[] = []

beforeAll(() => {
  worker = new Worker(new URL('./worker.ts', import.meta.url).href)
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    heard.push(data)
    wake?.()
  }
  worker.onerror = (event) => void failures.push(event.message)
})

beforeEach(() => {
  heard = []
})

afterAll(() => {
  worker.terminate()
  root[Symbol.dispose]()
  expect(failures).toEqual([])
})

const say = (message: ToWorker) => worker.postMessage(message)
let lastId = 0

/** The first message that fits, as soon as it has come. */
async function hear<K extends FromWorker['kind']>(id: number, ...kinds: K[]): Promise<Extract<FromWorker, { kind: K }>> {
  for (;;) {
    const found = heard.find((message) => message.id === id && kinds.includes(message.kind as K))
    if (found) return found as Extract<FromWorker, { kind: K }>
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

const end = (id: number) => hear(id, 'done', 'failed')
const reach = () => {
  const id = ++lastId
  say({ kind: 'run', id, task: 'checkReach', repo, input: { tips: [main] } })
  return id
}
const push = (name: string) => {
  const id = ++lastId
  say({ kind: 'stream', id, task: 'receive', repo, input: { quarantine: join(root.path, name), tips: [], moved: [] } })
  return id
}
const errorOf = async (id: number) => {
  const message = await end(id)
  return message.kind === 'failed' ? [message.error.gitKind, message.error.message] : 'done'
}

let longTrees: [from: string, to: string] | undefined

/** Comparisons of texts that differ in very many lines. */
function compareLong(count: number): number[] {
  const treeOf = (seed: number) => {
    const random = new Random(seed)
    const stdin = Array.from({ length: 30_000 }, () => `${random.below(20_000)}\n`).join('')
    const blob = git(['hash-object', '-w', '--stdin'], { cwd: origin, stdin }).toString().trim()
    return git(['mktree'], { cwd: origin, stdin: `100644 blob ${blob}\ttext\n` })
      .toString()
      .trim()
  }
  longTrees ??= [treeOf(1), treeOf(2)]
  const [from, to] = longTrees
  return Array.from({ length: count }, () => {
    const id = ++lastId
    say({ kind: 'run', id, task: 'diffFiles', repo, input: { from, to }, isLong: true })
    return id
  })
}

describe('a thread', () => {
  test('answers many others while it compares what is long', async () => {
    const long = compareLong(3)
    let answered = 0
    const isOver = (id: number) => heard.some((message) => message.id === id)
    for (; !long.every(isOver); answered++) {
      const short = ++lastId
      say({ kind: 'run', id: short, task: 'objectTypes', repo, input: { oids: [main] } })
      await end(short)
    }
    expect(answered).toBeGreaterThan(20)
  })

  test(
    'answers each call once, many at a time',
    async () => {
      const ids = Array.from({ length: 10 }, reach)
      for (const id of ids) expect((await end(id)).kind).toBe('done')
      expect(heard.filter(({ kind }) => kind === 'done').length).toBe(10)
    },
    PATIENCE,
  )

  test('ends a comparison that is aborted at its next breath', async () => {
    const [id] = compareLong(1)
    say({ kind: 'abort', id: id as number })
    expect(await errorOf(id as number)).toEqual([undefined, 'The operation was aborted.'])
  })

  test('never begins one that is aborted while it waits for its turn', async () => {
    const [other] = compareLong(1)
    const id = ++lastId
    say({ kind: 'run', id, task: 'diffFiles', repo: { path: '/nowhere', limits: defaultLimits }, input: {}, isLong: true })
    say({ kind: 'abort', id })
    expect(await errorOf(id)).toEqual([undefined, 'The operation was aborted.'])
    expect(await errorOf(other as number)).toBe('done')
  })

  test('passes over what is said to calls that it does not know, or that have ended', async () => {
    const id = reach()
    await end(id)
    for (const other of [id, 9999]) {
      say({ kind: 'bytes', id: other, bytes: new Uint8Array(9) })
      say({ kind: 'end', id: other })
      say({ kind: 'taken', id: other, count: 5 })
      say({ kind: 'abort', id: other })
      say({ kind: 'granted', id: other })
      say({ kind: 'forked', id: other, fork: 1, outputs: [] })
    }
    say({ kind: 'forget', path: '/never/opened' })
    expect((await end(reach())).kind).toBe('done')
  })

  test.each<[string, Extract<ToWorker, { kind: 'run' | 'stream' | 'shard' }>['kind']]>([
    ['a task', 'run'],
    ['a stream', 'stream'],
    ['a shard', 'shard'],
  ])('says of %s that nobody knows that it failed, and goes on', async (_, kind) => {
    const id = ++lastId
    say({ kind, id, task: 'constructor-of-nothing', repo, input: {} } as ToWorker)
    expect((await end(id)).kind).toBe('failed')
    expect((await end(reach())).kind).toBe('done')
  })

  test('takes a pack that comes byte by byte beside another call', async () => {
    const id = push('byte-by-byte')
    const pack = honestPack()
    for (let at = 0; at < pack.length; at += 37) say({ kind: 'bytes', id, bytes: pack.slice(at, at + 37) })
    const other = reach()
    expect((await end(other)).kind).toBe('done')
    say({ kind: 'end', id })
    const message = await hear(id, 'done')
    expect((message.output as { pack: { objects: number } }).pack.objects).toBe(7)
  })

  test('tells who waits long for a pack how far it is', async () => {
    const id = push('slow')
    const builder = new PackBuilder()
    for (let i = 0; i < 2000; i++) builder.add('blob', `${i}`)
    const pack = builder.build()
    let at = 0
    const sayMore = () => {
      say({ kind: 'bytes', id, bytes: pack.slice(at, at + 100) })
      at += 100
    }
    // A push that is done at once is told nothing, so the pack comes object by object until the thread has found it slow.
    await eventually(() => {
      if (at < pack.length) sayMore()
      return heard.some(({ kind, id: from }) => kind === 'notice' && from === id)
    })
    while (at < pack.length) sayMore()
    say({ kind: 'end', id })
    expect((await hear(id, 'done')).output).toMatchObject({ pack: { objects: 2000 } })
  })

  test('lets nothing stay of a push that is aborted before it began, in its midst, twice, or after its end was said', async () => {
    const pack = honestPack()
    const ways: [string, (id: number) => void][] = [
      ['at-once', () => {}],
      ['midway', (id) => say({ kind: 'bytes', id, bytes: pack.slice(0, 100) })],
      ['twice', (id) => say({ kind: 'abort', id })],
    ]
    for (const [name, before] of ways) {
      const id = push(name)
      before(id)
      say({ kind: 'abort', id })
      expect(await errorOf(id)).toEqual(['protocol', expect.stringContaining('The client disconnected') as unknown as string])
      expect(existsSync(join(root.path, name))).toBe(false)
    }
    expect((await end(reach())).kind).toBe('done')
  })

  test('tells what went wrong by its kind', async () => {
    const cut = push('cut-off')
    say({ kind: 'bytes', id: cut, bytes: honestPack().slice(0, 50) })
    say({ kind: 'end', id: cut })
    expect((await errorOf(cut))[0]).toBe('corrupt')
    const missing = ++lastId
    say({ kind: 'run', id: missing, task: 'readCommit', repo, input: { oid: '12'.repeat(20), details: { files: false, stat: false } } })
    expect((await errorOf(missing))[0]).toBe('missing')
  })

  test('sends no more of an answer than its window until that is taken, and then the rest', async () => {
    const id = ++lastId
    const big = git(['hash-object', '-w', '--stdin'], { cwd: origin, stdin: Buffer.from(new Uint8Array(4_000_000).map((_, i) => (i * i) >> 3)) })
      .toString()
      .trim()
    const tree = git(['mktree'], { cwd: origin, stdin: `100644 blob ${big}\tbig\n` })
      .toString()
      .trim()
    say({ kind: 'forget', path: origin })
    say({ kind: 'stream', id, task: 'archive', repo, input: { oid: tree, options: { format: 'tar' } } })
    const sent = () => heard.reduce((sum, message) => sum + (message.kind === 'bytes' && message.id === id ? message.bytes.length : 0), 0)
    await hear(id, 'bytes')
    expect((await end(reach())).kind).toBe('done')
    expect((await end(reach())).kind).toBe('done')
    expect(sent()).toBeLessThan(2_000_000)
    expect(heard.some((message) => message.kind === 'done' && message.id === id)).toBe(false)
    say({ kind: 'taken', id, count: 100_000_000 })
    expect((await end(id)).kind).toBe('done')
    expect(sent()).toBeGreaterThan(4_000_000)
  })
})
