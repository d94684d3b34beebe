import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, initBare, makeHistory, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { MapStore } from '../../../../test/map-store.ts'
import { outcome, rejection } from '../../../../test/outcome.ts'
import { idOf, makeCommit, makeDelta, makeTag, makeTree, PackBuilder } from '../../../../test/pack-builder.ts'
import { GitError } from '../../errors.ts'
import { defaultLimits } from '../../limits.ts'
import { ignorableFaults } from '../../objects/fsck-messages.ts'
import type { Oid } from '../../objects/oid.ts'
import type { ReceivedPack, ReceivePackOptions } from './receive.ts'
import { receivePack } from './receive.ts'
import { MADE, resolveShard } from './shard.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const origin = join(root.path, 'origin.git')
makeHistory(origin, { commits: 300, files: 60 })
const half = git(['rev-parse', 'v1^{commit}'], { cwd: origin }).toString().trim()
const main = git(['rev-parse', 'main'], { cwd: origin }).toString().trim() as Oid

let directories = 0
function newDirectory(): string {
  const path = join(root.path, `quarantine-${directories++}`)
  mkdirSync(path)
  return path
}

async function* inPieces(bytes: Uint8Array, length = 65536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

function receive(pack: Uint8Array, options: Partial<ReceivePackOptions> = {}): Promise<ReceivedPack> {
  const common = { directory: newDirectory(), store: new MapStore(), limits: defaultLimits, tips: [] }
  return receivePack(inPieces(pack), { ...common, ...options })
}

const packs = new Map<string, Uint8Array>()

/** The same pack for the same question: to search for deltas takes git longer than all else here. */
function packObjects(args: readonly string[], revisions = 'main\nv1-again\n'): Uint8Array {
  const key = `${args.join(' ')} ${revisions}`
  const known = packs.get(key) ?? git(['pack-objects', '--revs', '--stdout', '-q', ...args], { cwd: origin, stdin: revisions })
  packs.set(key, known)
  return known
}

/** Index and checks of stock git for the received pack. */
function expectGitAgrees(received: ReceivedPack): void {
  const judged = join(newDirectory(), 'judged.pack')
  writeFileSync(judged, readFileSync(received.packPath))
  expect(git(['index-pack', judged]).toString().trim()).toBe(received.name)
  expect(Buffer.compare(readFileSync(judged.replace('.pack', '.idx')), readFileSync(received.idxPath))).toBe(0)
  git(['verify-pack', received.packPath])
}

/** Stock git's verdict on a repository that has nothing but the received packs. */
function expectFsckPasses(packs: readonly ReceivedPack[]): void {
  const repository = join(newDirectory(), 'checked.git')
  initBare(repository)
  for (const pack of packs) {
    writeFileSync(join(repository, 'objects/pack', `pack-${pack.name}.pack`), readFileSync(pack.packPath))
    writeFileSync(join(repository, 'objects/pack', `pack-${pack.name}.idx`), readFileSync(pack.idxPath))
  }
  git(['update-ref', 'refs/heads/main', main], { cwd: repository })
  git(['fsck', '--full', '--strict'], { cwd: repository })
}

const shapes: [name: string, args: string[]][] = [
  ['offset deltas', ['--delta-base-offset', '--depth=50', '--window=20']],
  ['deltas by id', ['--depth=50', '--window=20']],
  ['very deep chains', ['--delta-base-offset', '--depth=1000', '--window=50']],
  ['very deep chains by id', ['--depth=1000', '--window=50']],
  ['no deltas', ['--depth=0', '--window=0']],
]

describe('a whole pack is indexed as git does it', () => {
  for (const [name, args] of shapes) {
    test(name, async () => {
      const pack = packObjects(args)
      const received = await receive(pack)
      expectGitAgrees(received)
      expect(readFileSync(received.packPath).equals(Buffer.from(pack))).toBe(true)
      expect(received.bytes).toBe(pack.length)
      expectFsckPasses([received])
    })
  }

  test('bases that do not fit in the cache are made again', async () => {
    for (const [, args] of shapes) expectGitAgrees(await receive(packObjects(args), { limits: { ...defaultLimits, deltaCacheBytes: 20_000 } }))
  })

  test('two threads find the same', async () => {
    const runShards: ReceivePackOptions['resolveShards'] = (inputs) => Promise.all(inputs.map((input) => resolveShard(structuredClone(input))))
    const large = join(root.path, 'large.git')
    makeHistory(large, { commits: 900, files: 30 })
    for (const args of [['--delta-base-offset'], []]) {
      const pack = git(['pack-objects', '--revs', '--stdout', '-q', ...args], { cwd: large, stdin: 'main\n' })
      const received = await receive(pack, { resolveShards: runShards })
      expect(received.deltas).toBeGreaterThan(2000)
      expectGitAgrees(received)
    }
  })
})

describe('a pack that nobody waits for any more', () => {
  const builder = new PackBuilder()
  const base = builder.add('blob', 'x'.repeat(200_000))
  for (let i = 0; i < 3000; i++) builder.ofsDelta(base, makeDelta(200_000, 200_004, [[0, 200_000], String(1000 + i)]))
  const pack = builder.build()

  /** @returns what its reception fails with, having left nothing, when `leave` is called by what `options` listen to */
  async function receptionLeft(options: (leave: () => void) => Partial<ReceivePackOptions>): Promise<unknown> {
    const gone = new AbortController()
    const directory = newDirectory()
    const leave = () => gone.abort(new GitError('protocol', 'The client disconnected'))
    const error = await rejection(receive(pack, { directory, signal: gone.signal, ...options(leave) }))
    expect(readdirSync(directory)).toEqual([])
    return error
  }

  test('is left in the middle of its deltas', async () => {
    let resolved = 0
    const error = await receptionLeft((leave) => ({
      onProgress({ phase, done }) {
        if (phase !== 'resolving') return
        resolved = done
        leave()
      },
    }))
    expect(error).toHaveProperty('message', expect.stringContaining('The client disconnected'))
    expect(resolved).toBeLessThan(2000)
  })

  test('is left by other threads as well', async () => {
    let left: unknown
    const error = await receptionLeft((leave) => ({
      async resolveShards(inputs) {
        leave()
        const outputs = await Promise.all(inputs.map(resolveShard))
        left = inputs.map(({ control }) => control[MADE])
        return outputs
      },
    }))
    expect(error).toHaveProperty('message', expect.stringContaining('The client disconnected'))
    expect(left).toEqual([expect.any(Number)])
    expect((left as number[])[0]).toBeLessThan(2000)
  })
})

describe('a thin pack', () => {
  const newer = (args: readonly string[]): Uint8Array => packObjects(['--thin', ...args], `main\n^${half}\n`)

  test('is completed with the bases that the repository has', async () => {
    const store = MapStore.ofGit(origin, [half])
    for (const args of [['--delta-base-offset'], []]) {
      const pack = newer(args)
      const sent = Buffer.from(pack).readUInt32BE(8)
      const received = await receive(pack, { store, tips: [main] })
      expect(received.objects).toBeGreaterThan(sent)
      expect(received.closed).toBe(true)
      expectGitAgrees(received)
      expectFsckPasses([received, await receive(packObjects([], `${half}\n`))])
    }
  })

  test('is refused when the repository lacks a base, and nothing is left', async () => {
    const directory = newDirectory()
    expect(await outcome(receive(newer([]), { directory, tips: [main] }))).toThrow(
      /^Cannot accept pack: .*delta base .* is neither in the pack nor in the repository/,
    )
    expect(readdirSync(directory)).toEqual([])
  })

  test('is refused when the repository has the bases but not all that is linked', async () => {
    const store = MapStore.ofGit(origin, [half])
    store.objects.delete(half as Oid)
    expect(await outcome(receive(newer([]), { store }))).toThrow(`names the commit ${half}, which is neither`)
  })

  test('whose base in the repository is a delta’s result in the pack too is accepted', async () => {
    const [one, two, three] = ['first content', 'first content, second', 'first content, second, third']
    const store = new MapStore()
    store.objects.set(idOf('blob', two) as Oid, { type: 'blob', data: Buffer.from(two) })
    const builder = new PackBuilder()
    builder.refDelta(idOf('blob', two), makeDelta(two.length, three.length, [[0, two.length], ', third']))
    builder.ofsDelta(builder.add('blob', one), makeDelta(one.length, two.length, [[0, one.length], ', second']))
    const received = await receive(builder.build(), { store })
    expect(received.objects).toBe(3)
    expectGitAgrees(received)
  })
})

describe('what a receiver learns', () => {
  test('types of tips, dates of commits, and what tags point to in the end', async () => {
    const again = git(['rev-parse', 'v1-again'], { cwd: origin }).toString().trim() as Oid
    const received = await receive(packObjects([]), { tips: [main, again] })
    expect(received.tips).toEqual([
      { oid: main, type: 'commit', time: Number(git(['log', '-1', '--format=%ct', main], { cwd: origin })) },
      { oid: again, type: 'tag', peeled: half as Oid },
    ])
    expect(received.closed).toBe(true)
  })

  test('a tag of the pack that points to a tag of the repository is peeled through both', async () => {
    const tag = makeTag(main, 'commit')
    const outer = makeTag(idOf('tag', tag), 'tag', 'outer')
    const store = MapStore.ofGit(origin, [main])
    store.objects.set(idOf('tag', tag) as Oid, { type: 'tag', data: Buffer.from(tag) })
    const builder = new PackBuilder()
    builder.add('tag', outer)
    const oid = idOf('tag', outer) as Oid
    expect((await receive(builder.build(), { store, tips: [oid] })).tips).toEqual([{ oid, type: 'tag', peeled: main }])
  })

  test('an object that nothing links to makes the pack not closed', async () => {
    const builder = new PackBuilder()
    builder.add('blob', 'alone')
    const oid = idOf('blob', 'alone') as Oid
    expect((await receive(builder.build())).closed).toBe(false)
    expect((await receive(builder.build(), { tips: [oid] })).closed).toBe(true)
  })

  test('an empty pack is accepted', async () => {
    const received = await receive(new PackBuilder().build())
    expect([received.objects, received.closed]).toEqual([0, true])
    git(['index-pack', received.packPath, '-o', join(newDirectory(), 'x.idx')])
  })

  test('progress goes through the phases and ends with all objects', async () => {
    const phases: string[] = []
    let last = { done: 0, total: 0 }
    await receive(packObjects([]), {
      onProgress: (progress) => {
        if (phases.at(-1) !== progress.phase) phases.push(progress.phase)
        last = progress
      },
    })
    expect(phases[0]).toBe('receiving')
    expect(phases.at(-1)).toBe('checking')
    expect(last.done).toBe(last.total)
  })
})

test('an object that a pack holds twice keeps both index entries, as with git', async () => {
  const builder = new PackBuilder()
  builder.add('blob', 'twice')
  builder.add('blob', 'twice')
  builder.ofsDelta(builder.add('blob', 'twice!'), makeDelta(6, 5, [[0, 5]]))
  const received = await receive(builder.build())
  const judged = join(newDirectory(), 'judged.idx')
  git(['index-pack', '-o', judged, received.packPath])
  expect(readFileSync(judged).equals(readFileSync(received.idxPath))).toBe(true)
})

test('objects too large to be held whole, and large deltas on them, are streamed', async () => {
  const noise = Buffer.concat(Array.from({ length: 80 }, () => crypto.getRandomValues(Buffer.alloc(65536))))
  const changed = Buffer.concat([noise.subarray(0, 500_000), Buffer.from('changed'), noise.subarray(400_000)])
  const id = idOf('blob', noise)
  const wide = makeTree(Array.from({ length: 1100 }, (_, i) => ['100644', `${1000 + i}`.padEnd(4090, '-'), id] as const))
  const builder = new PackBuilder()
  const base = builder.add('blob', noise)
  builder.ofsDelta(base, makeDelta(noise.length, changed.length, [[0, 500_000], 'changed', [400_000, noise.length - 400_000]]))
  builder.ofsDelta(base, makeDelta(noise.length, noise.length, [Buffer.from(noise).reverse()]))
  builder.add('tree', wide)
  const pack = builder.build()
  for (const deltaCacheBytes of [defaultLimits.deltaCacheBytes, 1_000_000]) {
    expectGitAgrees(await receive(pack, { limits: { ...defaultLimits, deltaCacheBytes } }))
  }
})

test('what history really holds is accepted: group-writable files, further headers; and, when its faults are ignored, a zero-padded mode, no name, odd zones, a NUL byte', async () => {
  const blob = idOf('blob', '')
  const tree = makeTree([
    ['100664', 'a', blob],
    ['100600', 'b', blob],
    ['40000', 'c', idOf('tree', '')],
  ])
  const padded = makeTree([['040000', 'c', idOf('tree', '')]])
  const commit = makeCommit(idOf('tree', tree))
  const faulty = [
    commit.replace('author A U Thor <author@example.com> 1700000000 +0100', 'author <> 0 +051800'),
    commit.replace('A U Thor <author@example.com>', 'A <b> C <d>'),
    commit.replace('1700000000 +0100', '0700000000 -0000'),
    `${commit}\0\n`,
  ]
  const odd = [commit, commit.replace('\n\n', '\nencoding latin1\nx-extra\n continued\n\n')]
  const packOf = (commits: readonly string[], ...trees: Uint8Array[]): Uint8Array => {
    const builder = new PackBuilder()
    builder.add('blob', '')
    builder.add('tree', '')
    for (const content of [tree, ...trees]) builder.add('tree', content)
    for (const content of commits) builder.add('commit', content)
    builder.add('tag', `object ${blob}\ntype blob\ntag without a tagger\n\nmessage\n`)
    return builder.build()
  }
  expect((await receive(packOf(odd))).objects).toBe(6)
  expect(await outcome(receive(packOf(faulty)))).toThrow('(missingNameBeforeEmail)')
  expect(await outcome(receive(packOf(odd, padded)))).toThrow('(zeroPaddedFilemode)')
  const ignoring = { limits: { ...defaultLimits, ignoredFaults: ignorableFaults } }
  expect((await receive(packOf(faulty, padded), ignoring)).objects).toBe(9)
})

test('the files are read-only and named by the checksum', async () => {
  const received = await receive(packObjects([]))
  expect(received.packPath).toEndWith(`pack-${received.name}.pack`)
  expect(statSync(received.packPath).mode & 0o777).toBe(0o444)
  rmSync(received.packPath)
})
