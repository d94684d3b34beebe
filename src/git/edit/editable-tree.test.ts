import { describe, expect, test } from 'bun:test'
import type { Random } from '../../../test/generate-history.ts'
import { property } from '../../../test/seeds.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree, TREE_MODE } from '../objects/tree.ts'
import { kindOf } from '../store/contract.ts'
import { MemoryStore } from '../store/memory.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import { checkPath, EditableTree } from './editable-tree.ts'

const FILE = 0o100644
const names = ['a', 'b', 'a.c', 'a-b', 'd', 'e']

function somePath(random: Random): string {
  return Array.from({ length: 1 + random.skewed(4) }, () => random.pick(names)).join('/')
}

/** Paths and ids of all files below a tree, and every tree in git's order with nothing empty in it. */
function filesOf(store: ScratchStore, tree: Oid, at = ''): Map<string, Oid> {
  const found = new Map<string, Oid>()
  const entries = parseTree(store.get(tree, 'tree').data, defaultLimits)
  const keys = entries.map(({ name, mode }) => Buffer.from(mode === TREE_MODE ? `${name}/` : name))
  expect(keys).toEqual(keys.toSorted(Buffer.compare))
  if (at !== '') expect(entries.length).toBeGreaterThan(0)
  for (const { name, mode, oid } of entries) {
    if (mode === TREE_MODE) for (const [path, file] of filesOf(store, oid, `${at}${name}/`)) found.set(path, file)
    else found.set(at + name, oid)
  }
  return found
}

const sortedPairs = (map: ReadonlyMap<string, Oid>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

describe('a tree that is edited', () => {
  test('makes no more directories than one change needs', () => {
    const store = new ScratchStore(new MemoryStore(), 1 << 24)
    const tree = new EditableTree(store, undefined)
    const file = { mode: FILE, oid: store.write('blob', Buffer.from('x')) }
    for (let i = 0; i < 20; i++) tree.put(`${`d${i}/`.repeat(1000)}f`, file)
    expect(kindOf(() => tree.put('one/more', file))).toBe('limit')
  })

  property('holds what was put and not removed, whatever the order, over one writing and several', 60, (random) => {
    const store = new ScratchStore(new MemoryStore(), 1 << 24)
    let root: Oid | undefined
    const model = new Map<string, Oid>()
    for (let round = 0; round < 3; round++) {
      const tree = new EditableTree(store, root)
      for (let step = 0; step < 25; step++) edit(random, store, tree, model)
      root = tree.write()
      expect(sortedPairs(filesOf(store, root))).toEqual(sortedPairs(model))
    }
  })

  function edit(random: Random, store: ScratchStore, tree: EditableTree, model: Map<string, Oid>): void {
    const path = somePath(random)
    const below = [...model.keys()].filter((other) => other.startsWith(`${path}/`))
    const above = [...model.keys()].some((other) => path.startsWith(`${other}/`))
    if (random.chance(0.3)) {
      expect([path, tree.remove(path)]).toEqual([path, model.has(path) || below.length > 0])
      model.delete(path)
      for (const other of below) model.delete(other)
      expect(tree.find(path)).toBeUndefined()
      return
    }
    const oid = store.write('blob', Buffer.from(`${random.below(20)}`))
    const put = () => tree.put(path, { mode: FILE, oid })
    if (below.length > 0 || above) expect([path, kindOf(put)]).toEqual([path, 'refused'])
    else {
      put()
      model.set(path, oid)
      expect(tree.find(path)?.oid).toBe(oid)
    }
  }

  test('that loses all is the empty tree', () => {
    const store = new ScratchStore(new MemoryStore(), 1 << 20)
    const tree = new EditableTree(store, undefined)
    tree.put('a/b/c', { mode: FILE, oid: store.write('blob', Buffer.from('x')) })
    expect(tree.remove('a/b/c')).toBe(true)
    expect([tree.find('a/b'), tree.find('a')]).toEqual([undefined, undefined])
    expect(tree.write()).toBe(store.format.emptyTree)
  })

  test('loses a directory with all that is in it, looked into before or not, and can be given another of that name', () => {
    const store = new ScratchStore(new MemoryStore(), 1 << 20)
    const oid = store.write('blob', Buffer.from('x'))
    const first = new EditableTree(store, undefined)
    for (const path of ['d/a', 'd/e/b', 'f']) first.put(path, { mode: FILE, oid })
    const root = first.write()
    for (const isLookedInto of [false, true]) {
      const tree = new EditableTree(store, root)
      if (isLookedInto) expect(tree.find('d/e/b')?.oid).toBe(oid)
      expect(tree.remove('d')).toBe(true)
      expect([tree.find('d'), tree.find('d/a'), tree.remove('d')]).toEqual([undefined, undefined, false])
      expect([...filesOf(store, tree.write()).keys()]).toEqual(['f'])
      tree.put('d/new', { mode: FILE, oid })
      expect([...filesOf(store, tree.write()).keys()]).toEqual(['d/new', 'f'])
    }
  })

  test('reads no more of the old one than lies on the way', () => {
    const store = new MemoryStore()
    const scratch = new ScratchStore(store, 1 << 20)
    const oid = scratch.write('blob', Buffer.from('x'))
    const absent = '12'.repeat(20) as Oid
    const first = new EditableTree(scratch, undefined)
    first.put('a/b', { mode: FILE, oid })
    first.put('elsewhere', { mode: TREE_MODE, oid: absent })
    const tree = new EditableTree(scratch, first.write())
    tree.put('a/c', { mode: FILE, oid })
    expect(kindOf(() => tree.write())).toBeUndefined()
    expect(kindOf(() => tree.put('elsewhere/x', { mode: FILE, oid }))).toBe('missing')
  })
})

describe('paths', () => {
  test.each([
    ['a', 'a'],
    ['/a/b/', 'a/b'],
    ['//a', 'a'],
    ['a b', 'a b'],
    ['ü/é', 'ü/é'],
    ['.github/x', '.github/x'],
    ['.gitignore', '.gitignore'],
    ['a.git', 'a.git'],
  ])('%j is %j', (text, expected) => {
    expect(checkPath(text)).toBe(expected)
  })

  test.each([
    '',
    '/',
    '.',
    '..',
    'a/../b',
    'a//b',
    'a/.',
    '.git',
    '.GIT/x',
    'a/.git',
    'git~1',
    '.git ',
    'a\0b',
    'x'.repeat(5000),
    Array(2000).fill('a').join('/'),
  ])('%j is none that a tree may have', (text) => {
    expect(kindOf(() => checkPath(text))).toBe('refused')
  })
})
