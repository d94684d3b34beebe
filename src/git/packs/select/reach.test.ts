import { afterAll, describe, expect, spyOn, test } from 'bun:test'
import { copyFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../../test/git-fixture.ts'
import { MapStore } from '../../../../test/map-store.ts'
import { property, shuffled } from '../../../../test/seeds.ts'
import { soak } from '../../../../test/soak.ts'
import { checkpointOf } from '../../checkpoint.ts'
import { commitGraphPath, findCommitGraph } from '../../history/commit-graph.ts'
import { CommitSource } from '../../history/commit-source.ts'
import { type HistoryShape, RandomHistory } from '../../history/random-history.fixture.ts'
import { defaultLimits } from '../../limits.ts'
import { parseCommit } from '../../objects/commit.ts'
import type { Oid } from '../../objects/oid.ts'
import { SHA1 } from '../../objects/oid.ts'
import { parseFilter } from '../../protocol/filter.ts'
import { Collected } from '../../protocol/git-server.fixture.ts'
import { kindOf } from '../../store/contract.ts'
import { DiskStore } from '../../store/disk.ts'
import { PackIndex } from '../pack-index.ts'
import { PackOutput, UNFRAMED } from '../write/pack-output.ts'
import { trailerOf, writePack, writeWholePacks } from '../write/write-pack.ts'
import { enumerateObjects, type Selection } from './enumerate.ts'
import { findDisjointPacks, selectAllButBlobs, selectEverything } from './everything.ts'
import { ObjectSpace } from './object-space.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const options = { limits: defaultLimits, checkpoint: checkpointOf() }

/** What each object leads to, read off its bytes by this test's own means. */
class Links {
  readonly objects: MapStore
  readonly #closures = new Map<Oid, ReadonlySet<Oid>>()

  constructor(gitDir: string) {
    this.objects = MapStore.ofGit(gitDir)
  }

  of(oid: Oid): Oid[] {
    const object = this.objects.get(oid)
    const bytes = Buffer.from(object.data)
    if (object.type === 'blob') return []
    if (object.type === 'tree') return treeLinks(bytes)
    const head = bytes.toString('latin1', 0, bytes.indexOf('\n\n'))
    return [...head.matchAll(/^(?:tree|parent|object) ([0-9a-f]{40})$/gm)].map(([, link]) => link as Oid)
  }

  /** Everything that an object leads to, itself included. */
  closure(oid: Oid): ReadonlySet<Oid> {
    const known = this.#closures.get(oid)
    if (known) return known
    const found = new Set<Oid>([oid])
    for (const link of found) for (const next of this.of(link)) found.add(next)
    this.#closures.set(oid, found)
    return found
  }

  closures(oids: readonly Oid[]): Set<Oid> {
    return new Set(oids.flatMap((oid) => [...this.closure(oid)]))
  }
}

function treeLinks(bytes: Buffer): Oid[] {
  const links: Oid[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    if (!bytes.toString('latin1', at, end).startsWith('160000 ')) links.push(bytes.toString('hex', end + 1, end + 21) as Oid)
    at = end + 21
  }
  return links
}

/** A history with tags of everything, whose objects lie in several packs, some twice, and some loose. */
function makeRepository(shape: HistoryShape, random: Random): { history: RandomHistory; tips: Oid[] } {
  const history = new RandomHistory(shape)
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: history.oids.map((oid) => `create refs/heads/c-${oid} ${oid}\n`).join('') })
  history.git('repack', '-adq')
  const store = DiskStore.open(history.gitDir)
  const tagRefs: string[] = []
  const tag = (target: string, type: string, name: string): Oid => {
    const oid = store.write('tag', Buffer.from(`object ${target}\ntype ${type}\ntag ${name}\ntagger A <a@example.org> 1 +0000\n\nx\n`))
    tagRefs.push(`create refs/tags/${name} ${oid}\n`)
    return oid
  }
  const [first] = history.oids as [Oid]
  const late = history.pickLate()
  const ofCommit = tag(late, 'commit', 'c')
  const { tree } = parseCommit(store.get(late, 'commit').data)
  const blobs = history.lines('rev-list', '--objects', '--filter=object:type=blob', '--filter-provided-objects', '--no-object-names', late)
  const tags = [ofCommit, tag(ofCommit, 'tag', 'cc'), tag(tree, 'tree', 't'), ...(blobs[0] ? [tag(blobs[0], 'blob', 'b')] : [])]
  git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: tagRefs.join('') })
  store.close()
  // Half of it in a pack of its own besides the whole, then loose tags.
  git(['pack-objects', '-q', '--revs', join(history.gitDir, 'objects/pack/pack')], { cwd: history.gitDir, stdin: `${first}\n${random.pick(history.oids)}\n` })
  if (random.chance(0.5)) history.git('repack', '-dq')
  return { history, tips: [...history.oids, ...tags] }
}

async function choose(store: DiskStore, source: CommitSource, wants: readonly Oid[], haves: readonly Oid[], filter?: string): Promise<Selection> {
  return enumerateObjects(new ObjectSpace(store), source, { wants, haves, filter: filter === undefined ? undefined : parseFilter(filter), ...options })
}

function idsOf(selection: Selection): Oid[] {
  return [...selection.numbers.view()].map((number) => selection.space.oid(number))
}

const shapes: [name: string, shape: Omit<HistoryShape, 'seed'>][] = [
  ['merges', { commits: 50, merges: 0.4, lines: 8 }],
  ['many roots and octopuses', { commits: 50, merges: 0.3, octopuses: 0.5, roots: 0.1, lines: 8 }],
  ['clocks that go wrong', { commits: 50, merges: 0.4, skew: 0.5, lines: 8 }],
]

describe.each(shapes)('in a history with %s', (_, shape) => {
  property(
    'a receiver gets all that it lacks, nothing that was not asked for, and no object twice; its pack is sound to git, thin or whole',
    3,
    async (random, seed) => {
      const { history, tips } = makeRepository({ ...shape, seed }, random)
      using _history = history
      const links = new Links(history.gitDir)
      if (seed % 2 === 0) history.git('commit-graph', 'write', '--reachable')
      const graph = findCommitGraph(commitGraphPath(history.gitDir), SHA1)
      const store = DiskStore.open(history.gitDir)
      for (let round = 0; round < soak(7, 14); round++) {
        const wants = shuffled(random, tips).slice(0, 1 + random.below(3))
        const haves = round % 5 === 0 ? [] : shuffled(random, tips).slice(0, 1 + random.below(3))
        const selection = await choose(store, new CommitSource(store, graph), wants, haves)
        const [asked, there] = [links.closures(wants), links.closures(haves)]
        const sent = idsOf(selection)
        expect(sent.length).toBe(new Set(sent).size)
        expect(sent.filter((oid) => !asked.has(oid))).toEqual([])
        const chosen = new Set(sent)
        expect([...asked].filter((oid) => !there.has(oid) && !chosen.has(oid))).toEqual([])
        if (haves.length === 0) expect(chosen.size).toBe(asked.size)
        // Where clocks go right, no commit goes out that the receiver has.
        const isCommit = (oid: Oid): boolean => links.objects.get(oid).type === 'commit'
        if (shape.skew === undefined) expect(sent.filter((oid) => isCommit(oid) && there.has(oid))).toEqual([])
        for (const type of ['blob', 'tree'] as const) {
          const filtered = new Set(idsOf(await choose(store, new CommitSource(store, graph), wants, haves, `object:type=${type}`)))
          const own = new Set(wants.flatMap((want) => [...alongTags(links, want)]))
          const passes = (oid: Oid): boolean => links.objects.get(oid).type === type
          expect([...filtered].filter((oid) => !own.has(oid) && !(asked.has(oid) && passes(oid)))).toEqual([])
          expect([...asked].filter((oid) => passes(oid) && !there.has(oid) && !filtered.has(oid))).toEqual([])
        }
        for (const [oid, known] of [...asked].map((one) => [one, selection.isKnown(selection.space.get(one))] as const)) {
          // What it is taken to have, deltas may stand on.
          if (known && !there.has(oid)) throw new Error(`${oid} is taken for known and is not there`)
        }
        const rules = { ofsDelta: random.chance(0.5), thin: random.chance(0.6) }
        await expectSound(selection, rules, history.gitDir, there)
      }
      store.close()
    },
  )
})

/** An object, and if it is a tag what that leads to. */
function alongTags(links: Links, oid: Oid): Oid[] {
  return links.objects.get(oid).type === 'tag' ? [oid, ...links.of(oid).flatMap((target) => alongTags(links, target))] : [oid]
}

let judged = 0

/** Has git index the pack of a selection where only `there` is, and says what is in it. */
async function expectSound(selection: Selection, rules: { ofsDelta: boolean; thin: boolean }, gitDir: string, there: ReadonlySet<Oid>): Promise<void> {
  const sink = new Collected()
  const mayStandOn = (number: number): boolean => rules.thin && selection.isKnown(number)
  const out = new PackOutput(sink, UNFRAMED, SHA1.hasher())
  const outcome = await writePack(selection, { ofsDelta: rules.ofsDelta, mayStandOn, checkpoint: options.checkpoint }, out)
  expect(outcome.objects).toBe(selection.numbers.length)
  const objects = join(root.path, `objects-${++judged}`)
  mkdirSync(join(objects, 'pack'), { recursive: true })
  if (rules.thin) {
    mkdirSync(join(objects, 'info'))
    writeFileSync(join(objects, 'info/alternates'), `${join(gitDir, 'objects')}\n`)
  }
  const env = { GIT_OBJECT_DIRECTORY: objects }
  const [, name] = git(['index-pack', '--stdin', ...(rules.thin ? ['--fix-thin'] : [])], { cwd: gitDir, stdin: sink.bytes, env })
    .toString()
    .trim()
    .split('\t')
  const index = PackIndex.open(join(objects, 'pack', `pack-${name}.idx`), SHA1)
  const packed = Array.from({ length: index.count }, (_, i) => index.oidAt(i))
  const sent = new Set(idsOf(selection))
  expect(packed.filter((oid) => !sent.has(oid) && !there.has(oid))).toEqual([])
  expect([...sent].filter((oid) => index.find(oid) < 0)).toEqual([])
}

property('filters leave out what git leaves out, alone and combined', 2, async (random, seed) => {
  const { history } = makeRepository({ seed: 100 + seed, commits: 40, merges: 0.3 }, random)
  using _history = history
  const store = DiskStore.open(history.gitDir)
  const filters = [
    ...['blob:none', 'blob:limit=0', 'blob:limit=1', 'blob:limit=3', 'blob:limit=1k', 'tree:0', 'tree:1', 'tree:2', 'tree:3', 'tree:4', 'tree:99'],
    ...['object:type=blob', 'object:type=tree', 'object:type=commit', 'object:type=tag'],
    ...['combine:blob:none+tree:2', 'combine:tree:3+blob:limit=3', 'combine:object:type=blob+blob:limit=3', 'combine:object:type=tree+tree:2'],
    ...['combine:tree:1+tree:3', 'combine:blob:limit=2+blob:limit=9', 'combine:object:type=tree+object:type=blob'],
  ]
  const judged = new Map<string, Set<string>>()
  const byGit = (filter: string, want: Oid) => {
    const known = judged.get(`${filter} ${want}`) ?? new Set(history.lines('rev-list', '--objects', '--no-object-names', `--filter=${filter}`, want))
    judged.set(`${filter} ${want}`, known)
    return known
  }
  const wants = [history.pickLate(), history.git('rev-parse', 'cc').trim() as Oid]
  for (const filter of filters) {
    for (const want of wants) {
      // Of a combination, what each part lets through: git's own leaves out more, blobs that it met too deep before.
      const [first, ...others] = filter
        .replace('combine:', '')
        .split('+')
        .map((part) => byGit(part, want)) as [Set<string>, ...Set<string>[]]
      const expected = others.reduce((left, right) => left.intersection(right), first)
      const found = idsOf(await choose(store, new CommitSource(store), [want], [], filter))
      const wrong = { tooMany: found.filter((oid) => !expected.has(oid)), tooFew: [...expected].filter((oid) => !found.includes(oid as Oid)) }
      expect({ filter, want, ...wrong }).toEqual({ filter, want, tooMany: [], tooFew: [] })
    }
  }
  store.close()
})

test.each(['tree:0', 'tree:1', 'tree:2', 'combine:tree:2+blob:none'])('of a tree that is wanted itself as much comes along as by git (%s)', async (filter) => {
  using history = new RandomHistory({ seed: 600, commits: 30 })
  const store = DiskStore.open(history.gitDir)
  const trees = history.oids.filter((_, at) => at % soak(3, 1) === 0).map((oid) => parseCommit(store.get(oid, 'commit').data).tree)
  for (const tree of trees) {
    const expected = history.lines('rev-list', '--objects', '--no-object-names', `--filter=${filter}`, tree)
    expect((idsOf(await choose(store, new CommitSource(store), [tree], [], filter)) as string[]).sort()).toEqual(expected.sort())
  }
  store.close()
})

test.each(['blob:none', 'tree:0', 'object:type=commit', 'object:type=tag'])('what is wanted itself comes along, whatever is left out (%s)', async (filter) => {
  using history = new RandomHistory({ seed: 500, commits: 10 })
  const store = DiskStore.open(history.gitDir)
  const ofType = (type: string) =>
    history
      .lines('cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectname)')
      .find((line) => line.startsWith(type))
      ?.slice(-40) as Oid
  const wants = ['commit', 'tree', 'blob'].map(ofType)
  const tag = store.write('tag', Buffer.from(`object ${wants[1]}\ntype tree\ntag x\n\nx\n`))
  for (const want of [...wants, tag]) {
    const found = idsOf(await choose(store, new CommitSource(store), [want], [], filter))
    expect(found).toEqual(expect.arrayContaining(want === tag ? [tag, wants[1] as Oid] : [want]))
  }
  store.close()
})

property('everything in a store is chosen once, wherever its copies lie; only packs without a copy in common are sent as they are', 4, async (random, seed) => {
  const { history } = makeRepository({ seed: 200 + seed, commits: 30 }, random)
  using _history = history
  const all = () => history.lines('cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
  const store = DiskStore.open(history.gitDir)
  expect((idsOf(await selectEverything(new ObjectSpace(store), options.checkpoint)) as string[]).sort()).toEqual(all())
  // The half is in the whole too.
  expect(await findDisjointPacks(new ObjectSpace(store), options.checkpoint)).toBeUndefined()
  history.git('repack', '-adq')
  store.refresh()
  for (const message of ['more', 'and more']) {
    const oid = history.git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit-tree', '-m', message, `${history.pick()}^{tree}`).trim()
    history.git('update-ref', `refs/heads/c-${oid}`, oid)
    expect(await findDisjointPacks(new ObjectSpace(store), options.checkpoint)).toBeUndefined()
    history.git('repack', '-dq')
    store.refresh()
    const packs = await findDisjointPacks(new ObjectSpace(store), options.checkpoint)
    expect(packs?.length).toBe(store.packs.length)
    const sink = new Collected()
    const made = await writeWholePacks(packs ?? [], new PackOutput(sink, UNFRAMED, SHA1.hasher()), options.checkpoint)
    const again = new Collected()
    // Nobody hashes it a second time.
    await writeWholePacks(packs ?? [], new PackOutput(again, UNFRAMED), options.checkpoint, trailerOf(packs ?? [], made))
    expect(again.bytes.equals(sink.bytes)).toBe(true)
    // Of a pack that was changed in its place, as when a damaged one is mended, it is not known any more; one that was put there instead is another.
    const path = packs?.[0]?.path ?? ''
    utimesSync(path, message.length, 0)
    expect(trailerOf(packs ?? [], made)).toBeUndefined()
    copyFileSync(path, `${path}.new`)
    renameSync(`${path}.new`, path)
    store.refresh()
    expect(store.packs).not.toContain(packs?.[0])
    const copy = join(root.path, `copy-${++judged}.git`)
    initBare(copy)
    git(['index-pack', '--stdin'], { cwd: copy, stdin: sink.bytes })
    expect(git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: copy }).toString().trim().split('\n')).toEqual(all())
  }
  store.close()
})

property('everything but blobs is told by bitmaps or by the headers of entries, whatever deltas stand on and wherever copies lie', 4, async (random, seed) => {
  const { history } = makeRepository({ seed: 300 + seed, commits: 30 }, random)
  using _history = history
  const expected = () =>
    history
      .lines('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)')
      .filter((line) => !line.endsWith(' blob'))
      .map((line) => line.slice(0, 40))
  const chosen = async () => {
    const store = DiskStore.open(history.gitDir)
    try {
      return idsOf(await selectAllButBlobs(new ObjectSpace(store), options.checkpoint)) as string[]
    } finally {
      store.close()
    }
  }
  // The half is in the whole too, and tags may lie in no pack.
  expect((await chosen()).sort()).toEqual(expected())
  for (const [usesOffsets, writesBitmaps] of [
    [true, true],
    [true, false],
    [false, false],
  ]) {
    history.git('-c', `repack.useDeltaBaseOffset=${usesOffsets}`, '-c', `repack.writeBitmaps=${writesBitmaps}`, 'repack', '-adfq', '--depth=50')
    expect((await chosen()).sort()).toEqual(expected())
  }
})

test.each([false, true])(
  'the headers of a pack are read for the first partial clone, not again while it is open, nor beside bitmaps (%j)',
  async (hasBitmaps) => {
    using history = new RandomHistory({ seed: 400, commits: 30 })
    git(['update-ref', '--stdin'], { cwd: history.gitDir, stdin: history.oids.map((oid) => `create refs/heads/c-${oid} ${oid}\n`).join('') })
    history.git('-c', `repack.writeBitmaps=${hasBitmaps}`, 'repack', '-adfq')
    const store = DiskStore.open(history.gitDir)
    const reads = store.packs.map((pack) => spyOn(pack, 'readAt'))
    const readTimes = () => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    const first = idsOf(await selectAllButBlobs(new ObjectSpace(store), options.checkpoint))
    const once = readTimes()
    expect(once > 0).toBe(!hasBitmaps)
    expect(idsOf(await selectAllButBlobs(new ObjectSpace(store), options.checkpoint))).toEqual(first)
    expect(readTimes()).toBe(once)
    store.close()
  },
)

describe('a hole in the history', () => {
  const gone = '1234567890123456789012345678901234567890' as Oid
  const ident = 'A <a@b> 1 +0000'
  const commitOf = (tree: string, parent?: string) =>
    Buffer.from(`tree ${tree}\n${parent ? `parent ${parent}\n` : ''}author ${ident}\ncommitter ${ident}\n\nx\n`)
  const tagOf = (target: string, type: string) => Buffer.from(`object ${target}\ntype ${type}\ntag x\ntagger ${ident}\n\nx\n`)

  /** What is missing, in each place where something can be. */
  const holes: [name: string, make: (store: DiskStore) => Oid][] = [
    ['the wanted object', () => gone],
    ['a parent', (store) => store.write('commit', commitOf(store.write('tree', Buffer.alloc(0)), gone))],
    ['the tree of a commit', (store) => store.write('commit', commitOf(gone))],
    ['the target of a tag', (store) => store.write('tag', tagOf(gone, 'commit'))],
    ...(['40000', '100644', '120000'] as const).map((mode): [string, (store: DiskStore) => Oid] => [
      `an entry of mode ${mode}`,
      (store) => store.write('commit', commitOf(store.write('tree', Buffer.concat([Buffer.from(`${mode} a\0`), Buffer.from(gone, 'hex')])))),
    ]),
  ]

  const gitDir = join(root.path, 'holes.git')
  initBare(gitDir)

  test.each(holes)('%s is told as missing, not sent as if it were whole', async (_, make) => {
    const store = DiskStore.open(gitDir)
    const want = make(store)
    const failure = await choose(store, new CommitSource(store), [want], []).catch((error: unknown) => error)
    expect(
      kindOf(() => {
        throw failure
      }),
    ).toBe('missing')
    expect((failure as Error).message).toContain(gone)
    store.close()
  })

  test('in what the receiver has is passed over: it is not for us to send', async () => {
    const store = DiskStore.open(gitDir)
    const tree = store.write('tree', Buffer.concat([Buffer.from('100644 a\0'), Buffer.from(gone, 'hex')]))
    const old = store.write('commit', commitOf(tree))
    const want = store.write('commit', commitOf(store.write('tree', Buffer.alloc(0)), old))
    const sent = idsOf(await choose(store, new CommitSource(store), [want], [old]))
    expect(sent.sort()).toEqual([want, store.write('tree', Buffer.alloc(0))].sort())
    store.close()
  })

  test('a submodule is no hole', async () => {
    const store = DiskStore.open(gitDir)
    const want = store.write('commit', commitOf(store.write('tree', Buffer.concat([Buffer.from('160000 a\0'), Buffer.from(gone, 'hex')]))))
    expect(idsOf(await choose(store, new CommitSource(store), [want], [])).length).toBe(2)
    store.close()
  })
})
