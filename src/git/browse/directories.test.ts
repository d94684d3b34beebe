import { describe, expect, test } from 'bun:test'
import { awake } from '#kernel/breathe.ts'
import type { Random } from '../../../test/generate-history.ts'
import { MapStore } from '../../../test/map-store.ts'
import { outcome } from '../../../test/outcome.ts'
import { idOf, makeTree } from '../../../test/pack-builder.ts'
import { PATIENCE, property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { stopwatch } from '../../../test/stopwatch.ts'
import { type Oid, SHA1 } from '../objects/oid.ts'
import { kindOf } from '../store/contract.ts'
import { FileFinder, PathListing, rankPaths } from './find-paths.ts'
import { listAlong, type Unfolded } from './list-along.ts'

/** Directories as plain objects: `{ src: { 'a.ts': '' } }`. */
interface Directory {
  [name: string]: Directory | string
}

function write(store: MapStore, directory: Directory): Oid {
  const entries = Object.entries(directory).map(([name, held]) => {
    const isFile = typeof held === 'string'
    return { name, mode: isFile ? '100644' : '40000', oid: isFile ? put(store, 'blob', Buffer.from(held)) : write(store, held) }
  })
  const key = ({ name, mode }: (typeof entries)[number]) => (mode === '40000' ? `${name}/` : name)
  entries.sort((a, b) => Buffer.compare(Buffer.from(key(a)), Buffer.from(key(b))))
  return put(store, 'tree', makeTree(entries.map(({ name, mode, oid }) => [mode, name, oid] as const)))
}

function put(store: MapStore, type: 'blob' | 'tree', data: Buffer): Oid {
  const oid = idOf(type, data) as Oid
  store.objects.set(oid, { type, data })
  return oid
}

function someDirectory(random: Random, depth: number): Directory {
  const names = ['a', 'b', 'a.ts', 'a-b', 'ab', 'z', 'ü', 'A', 'a0', 'readme.md']
  return Object.fromEntries(
    Array.from({ length: random.below(6) }, () => [random.pick(names), depth > 0 && random.chance(0.4) ? someDirectory(random, depth - 1) : 'x']),
  )
}

/** All files, a directory's own before those below it, in the order of trees. */
function pathsOf(directory: Directory, prefix = ''): string[] {
  const order = ([a, held]: [string, Directory | string]) => (typeof held === 'string' ? a : `${a}/`)
  const entries = Object.entries(directory).sort((a, b) => Buffer.compare(Buffer.from(order(a)), Buffer.from(order(b))))
  const own = entries.filter(([, held]) => typeof held === 'string').map(([name]) => prefix + name)
  return [...own, ...entries.flatMap(([name, held]) => (typeof held === 'string' ? [] : pathsOf(held, `${prefix}${name}/`)))]
}

function listPaths(store: MapStore, tree: Oid, paths?: number): { paths: string[]; isCut: boolean } {
  const listing = new PathListing(store, tree, paths === undefined ? {} : { paths })
  return { paths: [...listing].flat(), isCut: listing.isCut }
}

describe('the files of a tree', () => {
  property('are all listed, each once, and what is left out is told', 60, async (random) => {
    const store = new MapStore()
    const directory = someDirectory(random, 4)
    const tree = write(store, directory)
    const all = pathsOf(directory)
    expect(listPaths(store, tree)).toEqual({ paths: all, isCut: false })
    const most = 1 + random.below(12)
    const some = listPaths(store, tree, most)
    expect(some.paths).toEqual(all.slice(0, some.paths.length))
    expect([some.paths.length <= most || !some.isCut, some.isCut || some.paths.length === all.length]).toEqual([true, true])
  })

  test('of a dozen trees that unfold into ten billion are not waited for', async () => {
    const store = new MapStore()
    let oid = put(store, 'blob', Buffer.from('boom'))
    for (let level = 0; level < 10; level++) {
      const mode = level === 0 ? '100644' : '40000'
      const next = oid
      oid = put(store, 'tree', makeTree(Array.from({ length: 10 }, (_, i) => [mode, `f${i}`, next] as const)))
    }
    const { paths, isCut } = listPaths(store, oid, 5000)
    expect([isCut, paths.length <= 5000, new Set(paths).size === paths.length]).toEqual([true, true, true])
  })

  test(
    'of very many directories side by side are listed',
    async () => {
      const store = new MapStore()
      const inner = write(store, { file: '' })
      const count = soak(20_000, 100_000)
      const entries = Array.from({ length: count }, (_, i) => ['40000', String(i).padStart(6, '0'), inner] as const)
      const { paths, isCut } = listPaths(store, put(store, 'tree', makeTree(entries)), 1_000_000)
      expect([paths.length, paths.at(-1), isCut]).toEqual([count, `${String(count - 1).padStart(6, '0')}/file`, false])
    },
    PATIENCE,
  )

  test('are those down to the depth that listings go to, and no further', async () => {
    const store = new MapStore()
    let oid = write(store, { file: '' })
    for (let level = 0; level < 1100; level++) oid = put(store, 'tree', makeTree([['40000', 'd', oid]]))
    expect(listPaths(store, oid)).toEqual({ paths: [], isCut: false })
    const shallow = put(store, 'tree', makeTree([['40000', 'd', write(store, { file: '' })]]))
    expect(listPaths(store, shallow).paths).toEqual(['d/file'])
  })

  test('whose paths come to too many characters are listed as far as they may, and none that no system opens', () => {
    const store = new MapStore()
    let oid = write(store, { file: '' })
    for (let level = 0; level < 20; level++) oid = put(store, 'tree', makeTree([['40000', 'n'.repeat(200), oid]]))
    expect(listPaths(store, oid).paths.map(({ length }) => length)).toEqual([20 * 201 + 4])
    expect(listPaths(store, put(store, 'tree', makeTree([['40000', 'n'.repeat(200), oid]]))).paths).toEqual([])
    const many = put(store, 'tree', makeTree(Array.from({ length: 100 }, (_, i) => ['40000', `d${i + 100}`, oid] as const)))
    const listing = new PathListing(store, many, { characters: 200_000 })
    const lengths = [...listing].flat().map(({ length }) => length)
    expect([lengths.length > 1 && lengths.length < 50, listing.isCut]).toEqual([true, true])
  })

  test('of an empty tree that nobody has stored are none, and a tree that is lost is told', async () => {
    const store = new MapStore()
    expect(listPaths(store, SHA1.emptyTree)).toEqual({ paths: [], isCut: false })
    expect(() => listPaths(store, '1'.repeat(40) as Oid)).toThrow('is not there')
  })
})

describe('a finder', () => {
  const store = new MapStore()
  const trees = Array.from({ length: 8 }, (_, n) => write(store, { d: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, `${n}`])) }))
  let reads = 0
  const counting = Object.assign(Object.create(store) as MapStore, {
    get: (...args: Parameters<MapStore['get']>) => {
      reads++
      return store.get(...args)
    },
  })
  const query = { query: 'f23', limit: 9 }

  test('has the paths of the tree at hand that was looked through last, of that repository', async () => {
    const finder = new FileFinder()
    const readsOf = async (of: string, tree: Oid | undefined) => {
      reads = 0
      expect(await finder.find(of, counting, tree as Oid, query)).toEqual({ paths: ['d/f23'], isCut: false })
      return reads
    }
    const [one, two] = trees
    expect([await readsOf('a', one), await readsOf('a', one), await readsOf('a', two), await readsOf('a', one), await readsOf('b', one)]).toEqual([
      2, 0, 2, 2, 2,
    ])
  })

  test('notes the paths of one of the trees that are looked through at once', async () => {
    const finder = new FileFinder()
    // Each search pauses after each directory, so that all of them are under way together.
    let now = 0
    using _clock = stopwatch(() => (now += 10))
    awake()
    const found = await Promise.all(trees.map((tree) => finder.find('a', counting, tree, query)))
    expect(found).toEqual(trees.map(() => ({ paths: ['d/f23'], isCut: false })))
    reads = 0
    await finder.find('a', counting, trees[0] as Oid, query)
    expect(reads).toBe(0)
  })

  test('goes on after a tree that is lost', async () => {
    const finder = new FileFinder()
    expect(await outcome(finder.find('a', store, '1'.repeat(40) as Oid, query))).toThrow('is not there')
    await finder.find('a', counting, trees[0] as Oid, query)
    reads = 0
    await finder.find('a', counting, trees[0] as Oid, query)
    expect(reads).toBe(0)
  })
})

describe('a query', () => {
  const all = ['src/app.ts', 'src/web/app.css', 'a/p/p.md', 'docs/application.md', 'lib/xapp', 'APP']

  property('finds no path that lacks one of its letters in their order, and every path that has them', 100, async (random) => {
    const letters = Array.from({ length: 1 + random.below(4) }, () => random.pick([...'apsdoc./x'])).join('')
    const found = await rankPaths([all], { query: letters, limit: 100 })
    const isThere = (path: string) => new RegExp([...letters].map((letter) => letter.replace(/[./]/, '\\$&')).join('.*'), 'i').test(path)
    // Letters of a name are matched from its end: whoever has them somewhere in the path is found all the same.
    expect(found.toSorted()).toEqual(all.filter(isThere).toSorted())
  })

  test('puts whole names first, then beginnings of names, then what stands within', async () => {
    expect((await rankPaths([all], { query: 'app', limit: 10 })).slice(0, 4)).toEqual(['APP', 'src/app.ts', 'src/web/app.css', 'docs/application.md'])
  })
})

describe('the directories on the way to a path', () => {
  const store = new MapStore()
  const tree = write(store, {
    'a.txt': '',
    b: { c: { 'd.txt': '', 'e.txt': '' }, 'f.txt': '' },
    g: { 'h.txt': '' },
    'i.txt': '',
  })
  const names = (one: Unfolded | undefined) => one?.entries.map(({ name }) => name)

  test('are open down to it, directories first, the others closed', () => {
    const found = listAlong(store, tree, 'b/c/d.txt', 100)
    expect(names(found)).toEqual(['b', 'g', 'a.txt', 'i.txt'])
    expect([found.open?.name, names(found.open?.inside), found.open?.inside.open?.name]).toEqual(['b', ['c', 'f.txt'], 'c'])
    expect(names(found.open?.inside.open?.inside)).toEqual(['d.txt', 'e.txt'])
  })

  test.each([
    ['', undefined],
    ['nothing/here', undefined],
    ['a.txt', undefined],
    ['a.txt/below', undefined],
    ['b', undefined],
    ['b/', 'b'],
    ['b/nothing', 'b'],
  ])('of %j are open as far as there are any: %p', (path, open) => expect(listAlong(store, tree, path, 100).open?.name).toBe(open as never))

  test.each([
    [0, ['b'], true],
    [1, ['b'], true],
    [2, ['b', 'g'], true],
    [3, ['b', 'g', 'a.txt'], true],
    [4, ['b', 'g', 'a.txt', 'i.txt'], false],
    [5, ['b', 'g', 'a.txt', 'i.txt'], false],
  ])('of which %d are shown: %j, the one on the way among them', (most, shown, isCut) => {
    const found = listAlong(store, tree, 'b/f.txt', most)
    expect([names(found), found.isCut]).toEqual([shown, isCut])
  })

  test('the one on the way is shown also where it comes last', () => {
    expect(names(listAlong(store, tree, 'i.txt', 1))).toEqual(['b', 'i.txt'])
  })

  test('that is lost is an error, not an empty one', () => {
    const broken = put(store, 'tree', makeTree([['40000', 'lost', '2'.repeat(40)]]))
    expect(kindOf(() => listAlong(store, broken, 'lost/file', 10))).toBe('missing')
  })
})
