import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { git, makeHistory, temporaryDirectory } from '../../../test/git-fixture.ts'
import { property, shuffled } from '../../../test/seeds.ts'
import { type ObjectFormat, type Oid, SHA1 } from '../objects/oid.ts'
import { ObjectSpace } from '../packs/select/object-space.ts'
import { mtimesPath } from '../packs/write/mtimes.ts'
import { kindOf } from './contract.ts'
import { DiskStore, initBareRepository } from './disk.ts'
import { linkObjects } from './link-objects.ts'
import { MemoryStore } from './memory.ts'
import { PackDirectory } from './pack-directory.ts'
import { ScratchStore } from './scratch-store.ts'
import type { GitObject } from './types.ts'

const root = temporaryDirectory()
afterAll(() => root[Symbol.dispose]())
const origin = join(root.path, 'origin.git')
makeHistory(origin, { commits: 40, files: 6 })
git(['repack', '-adq'], { cwd: origin })
const head = git(['rev-parse', 'main'], { cwd: origin }).toString().trim() as Oid
let made = 0
const newPath = (): string => join(root.path, `${++made}.git`)

function newRepository(): string {
  const path = newPath()
  initBareRepository(path, 'main', SHA1)
  return path
}

function copyOfOrigin(): string {
  const path = newPath()
  cpSync(origin, path, { recursive: true })
  return path
}

const objectsIn = (gitDir: string) => git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: gitDir }).toString()

const readers: ((store: DiskStore) => GitObject)[] = [
  (store) => store.get(head),
  (store) => {
    const space = new ObjectSpace(store)
    return space.read(space.findOid(head))
  },
]

test.each(readers)('a damaged pack is read as it is again once it is mended in its place', (read) => {
  const path = copyOfOrigin()
  const [name = ''] = readdirSync(join(path, 'objects/pack')).filter((one) => one.endsWith('.pack'))
  const pack = join(path, 'objects/pack', name)
  chmodSync(pack, 0o600)
  const whole = readFileSync(pack)
  writeFileSync(
    pack,
    whole.map((byte, at) => (at > 12 && at < whole.length - 20 ? byte ^ 0x55 : byte)),
    { flag: 'r+' },
  )
  const store = DiskStore.open(path)
  expect(kindOf(() => read(store))).toBe('corrupt')
  writeFileSync(pack, whole, { flag: 'r+' })
  expect(read(store).type).toBe('commit')
  store.close()
})

describe('a fork that shares its objects by their files', () => {
  test('has all of them, packed and loose, for stock git too; what either does later is nothing to the other', () => {
    const from = copyOfOrigin()
    const store = DiskStore.open(from)
    const loose = store.write('blob', Buffer.from('loose'))
    store.close()
    git(['commit-graph', 'write', '--reachable'], { cwd: from })
    const to = newRepository()
    expect(linkObjects(from, to)).toBe(true)
    expect(objectsIn(to)).toBe(objectsIn(from))
    git(['update-ref', 'refs/heads/main', head], { cwd: to })
    expect(git(['fsck', '--full', '--no-dangling'], { cwd: to }).toString()).toBe('')
    expect(existsSync(join(to, 'objects/info/commit-graph'))).toBe(true)
    // No byte was copied.
    const path = (gitDir: string) => join(gitDir, 'objects', loose.slice(0, 2), loose.slice(2))
    expect(statSync(path(from)).ino).toBe(statSync(path(to)).ino)
    git(['repack', '-adfq'], { cwd: from })
    git(['prune', '--expire=now'], { cwd: from })
    expect([existsSync(path(from)), existsSync(path(to))]).toEqual([false, true])
    rmSync(from, { recursive: true })
    expect(git(['fsck', '--full', '--no-dangling'], { cwd: to }).toString()).toBe('')
  })

  test('gets no half-written object, no lock and no quarantine of the other', () => {
    const from = copyOfOrigin()
    const [pack] = readdirSync(join(from, 'objects/pack')).filter((name) => name.endsWith('.pack')) as [string]
    const odd = ['objects/pack/tmp_pack_x', 'objects/pack/pack-short.pack', `objects/pack/${pack}.lock`, 'objects/ab/tmp_obj_x', 'objects/info/alternates']
    mkdirSync(join(from, 'objects/ab'), { recursive: true })
    mkdirSync(join(from, 'objects/tmp_incoming-x'))
    for (const name of odd) writeFileSync(join(from, name), 'x')
    const to = newRepository()
    expect(linkObjects(from, to)).toBe(true)
    for (const name of [...odd, 'objects/tmp_incoming-x']) expect([name, existsSync(join(to, name))]).toEqual([name, false])
    expect(existsSync(join(to, 'objects/pack', pack))).toBe(true)
  })

  test('of a repository without objects, or of none at all, has none', () => {
    const to = newRepository()
    expect([linkObjects(newRepository(), to), linkObjects(newPath(), to), objectsIn(to)]).toEqual([true, true, ''])
  })

  test('finds something in its way: that is an error, not silence', () => {
    const from = copyOfOrigin()
    const to = newRepository()
    linkObjects(from, to)
    expect(() => linkObjects(from, to)).toThrow('EEXIST')
  })
})

describe('packs in a directory', () => {
  const [stem] = readdirSync(join(origin, 'objects/pack'))
    .filter((name) => name.endsWith('.pack'))
    .map((name) => name.slice(0, -5)) as [string]
  const source = (ending: string) => join(origin, 'objects/pack', stem + ending)

  function newPacks(): { path: string; packs: PackDirectory } {
    const path = join(newRepository(), 'objects/pack')
    return { path, packs: new PackDirectory(path, {}) }
  }

  test('are seen once both files are there, in whatever order they come, and not before', () => {
    for (const order of [
      ['.pack', '.idx'],
      ['.idx', '.pack'],
    ] as const) {
      const { path, packs } = newPacks()
      linkSync(source(order[0]), join(path, stem + order[0]))
      packs.refresh()
      expect([packs.packs.length, packs.faults.length]).toEqual([0, 0])
      linkSync(source(order[1]), join(path, stem + order[1]))
      expect([packs.refresh(), packs.packs.length]).toEqual([true, 1])
    }
  })

  test('that could not be opened are seen once they can be, though the directory is as it was', () => {
    const { path, packs } = newPacks()
    const elsewhere = join(dirname(path), 'elsewhere.idx')
    linkSync(source('.pack'), join(path, `${stem}.pack`))
    symlinkSync(elsewhere, join(path, `${stem}.idx`))
    // As long ago as any file system's clock can tell.
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    packs.refresh()
    expect(packs.packs).toEqual([])
    linkSync(source('.idx'), elsewhere)
    expect([packs.refresh(), packs.packs.length]).toEqual([true, 1])
  })

  test('that go are let go of, that stay keep being the same; a look at what did not change costs nothing', () => {
    const { path, packs } = newPacks()
    for (const ending of ['.pack', '.idx']) linkSync(source(ending), join(path, stem + ending))
    packs.refresh()
    const [before] = packs.packs
    writeFileSync(join(path, 'other'), 'x')
    packs.refresh()
    expect(packs.packs[0]).toBe(before as NonNullable<typeof before>)
    for (const ending of ['.pack', '.idx']) renameSync(join(path, stem + ending), join(path, `gone${ending}`))
    packs.refresh()
    expect(packs.packs).toEqual([])
    // A directory that has been still for longer than file systems' clocks tick is read once more, and then only when its date changes.
    const longAgo = 1_700_000_000
    utimesSync(path, longAgo, longAgo)
    packs.refresh()
    for (const ending of ['.pack', '.idx']) linkSync(source(ending), join(path, stem + ending))
    utimesSync(path, longAgo, longAgo)
    expect([packs.refresh(), packs.packs]).toEqual([false, []])
    utimesSync(path, longAgo + 1, longAgo + 1)
    expect([packs.refresh(), packs.packs.length]).toEqual([true, 1])
  })

  test.each<[string, (path: string) => void, string | undefined]>([
    ['with an index that is none', (path) => writeFileSync(`${path}.idx`, 'no index'), 'corrupt'],
    ['with another pack’s index', (path) => writeFileSync(`${path}.pack`, Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\0'), Buffer.alloc(20)])), 'corrupt'],
    ['with a name of no pack', (path) => renameSync(`${path}.idx`, join(path, '../other.idx')), undefined],
  ])('%s: not read, and named', (_, damage, kind) => {
    const { path, packs } = newPacks()
    for (const ending of ['.pack', '.idx']) cpSync(source(ending), join(path, stem + ending))
    for (const ending of ['.pack', '.idx']) chmodSync(join(path, stem + ending), 0o644)
    damage(join(path, stem))
    packs.refresh()
    expect([packs.packs.length, packs.faults.map((fault) => fault.kind as string)]).toEqual([0, kind === undefined ? [] : [kind]])
  })
})

describe('a new repository', () => {
  test.each(['main', 'feature/x', 'ünï', '🐧'])('with the default branch %s is one to git', (branch) => {
    const path = newPath()
    initBareRepository(path, branch, SHA1)
    expect(git(['symbolic-ref', 'HEAD'], { cwd: path }).toString().trim()).toBe(`refs/heads/${branch}`)
    expect(git(['rev-parse', '--is-bare-repository', '--git-dir'], { cwd: path }).toString()).toBe('true\n.\n')
    expect(readdirSync(path).sort()).toEqual(['HEAD', 'config', 'objects', 'refs'])
  })

  test('of SHA-256 says so to git', () => {
    const path = newPath()
    initBareRepository(path, 'main', { ...SHA1, name: 'sha256' } as ObjectFormat)
    expect(git(['rev-parse', '--show-object-format'], { cwd: path }).toString().trim()).toBe('sha256')
  })

  test.each(['..', 'a..b', '-x', 'HEAD', 'a b', '/a', 'a/', 'a.lock', 'x\u202ey', ''])(
    'is not made with a default branch %j, nor is anything of it',
    (branch) => {
      const path = newPath()
      expect([kindOf(() => initBareRepository(path, branch, SHA1)), existsSync(path)]).toEqual(['refused', false])
    },
  )
})

describe('writing', () => {
  test('what a cruft pack alone holds is written once more: its own age is not the pack’s', () => {
    const path = newRepository()
    const store = DiskStore.open(path)
    const oid = store.write('blob', Buffer.from('old'))
    const name = git(['pack-objects', '-q', join(path, 'objects/pack/pack')], { cwd: path, stdin: `${oid}\n` })
      .toString()
      .trim()
    writeFileSync(mtimesPath(join(path, 'objects/pack', `pack-${name}.pack`)), 'x')
    git(['prune-packed', '-q'], { cwd: path })
    store.refresh()
    expect([...store.looseOids()]).toEqual([])
    store.write('blob', Buffer.from('old'))
    expect([...store.looseOids()]).toEqual([oid])
    store.close()
  })

  test('where there is no room, or no right to, fails and leaves no part of an object', () => {
    const path = newRepository()
    const oid = DiskStore.open(newRepository()).write('blob', Buffer.from('kept out'))
    writeFileSync(join(path, 'objects', oid.slice(0, 2)), 'a file where a directory should be')
    const store = DiskStore.open(path)
    expect(() => store.write('blob', Buffer.from('kept out'))).toThrow()
    expect(store.has(oid)).toBe(false)
    store.close()
  })
})

property(
  'what is kept in front of a repository reads like one store, and what tips lead to comes in an order in which nothing lacks what it needs',
  15,
  (random) => {
    const behind = new MemoryStore()
    const scratch = new ScratchStore(behind, 1e7)
    const all: { oid: Oid; links: Oid[]; isOurs: boolean }[] = []
    const add = (type: 'blob' | 'tree' | 'commit' | 'tag', data: Buffer, links: Oid[]): void => {
      const isOurs = random.chance(0.6) || links.some((link) => all.some(({ oid, isOurs: ours }) => oid === link && ours))
      const oid = (isOurs ? scratch : behind).write(type, data)
      if (!all.some((one) => one.oid === oid)) all.push({ oid, links, isOurs })
    }
    for (let i = 0; i < 40; i++) {
      const kind = random.next()
      const one = all.length > 0 ? random.pick(all).oid : undefined
      if (one === undefined || kind < 0.3) add('blob', Buffer.from(`blob ${i}`), [])
      else if (kind < 0.6) {
        const type = scratch.findHeader(one)?.type
        const mode = type === 'tree' ? '40000' : type === 'commit' ? '160000' : '100644'
        add('tree', Buffer.concat([Buffer.from(`${mode} e${i}\0`), Buffer.from(one, 'hex')]), type === 'commit' ? [] : [one])
      } else if (kind < 0.85) {
        const parents = shuffled(random, all)
          .filter(({ oid }) => scratch.findHeader(oid)?.type === 'commit')
          .slice(0, 2)
          .map(({ oid }) => oid)
        const tree = all.find(({ oid }) => scratch.findHeader(oid)?.type === 'tree')?.oid
        if (tree)
          add('commit', Buffer.from(`tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join('')}author A <a> ${i} +0000\n\nobject ${one}\n`), [
            tree,
            ...parents,
          ])
      } else add('tag', Buffer.from(`object ${one}\ntype blob\ntag t${i}\n\nx`), [one])
    }
    const tips = shuffled(random, all)
      .slice(0, 3)
      .map(({ oid }) => oid)
    const wanted = new Set<Oid>()
    const visit = (oid: Oid): void => {
      const found = all.find((one) => one.oid === oid)
      if (!found?.isOurs || wanted.has(oid)) return
      wanted.add(oid)
      for (const link of found.links) visit(link)
    }
    for (const tip of tips) visit(tip)
    const kept = scratch.reachable(tips).map(({ oid }) => oid)
    expect(new Set(kept)).toEqual(wanted)
    expect(kept.length).toBe(wanted.size)
    for (const [at, oid] of kept.entries()) {
      for (const link of all.find((one) => one.oid === oid)?.links ?? []) if (wanted.has(link)) expect(kept.indexOf(link)).toBeLessThan(at)
    }
    for (const { oid } of all) {
      expect([scratch.has(oid), scratch.get(oid).type, scratch.findByPrefix(oid, 2)]).toEqual([true, scratch.findHeader(oid)?.type as never, [oid]])
      expect(kindOf(() => scratch.get(oid, scratch.get(oid).type === 'blob' ? 'tree' : 'blob'))).toBe('corrupt')
    }
    expect(behind.has(kept[0] ?? ('1'.repeat(40) as Oid))).toBe(false)
  },
)
