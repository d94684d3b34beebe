import { expect, test } from 'bun:test'
import type { ObjectType, Oid } from '../objects/oid.ts'
import { unfoldingTree } from '../objects/unfolding-tree.fixture.ts'
import { finish } from '../steps.ts'
import { kindOf } from '../store/contract.ts'
import { MemoryStore } from '../store/memory.ts'
import { type MergeOptions, Merger } from './merge-commits.ts'

interface Item {
  mode: string
  name: string
  oid: Oid
}

function tree(store: MemoryStore, items: Item[]): Oid {
  const parts = items.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])
  return store.write('tree', Buffer.concat(parts))
}

function file(store: MemoryStore, name: string, content: string): Item {
  return { mode: '100644', name, oid: store.write('blob', Buffer.from(content)) }
}

function merge(store: MemoryStore, sides: Item[][], options: MergeOptions = {}) {
  const [base, ours, theirs] = sides.map((items) => tree(store, items)) as [Oid, Oid, Oid]
  const merger = new Merger(store, undefined, options)
  const result = finish(merger.mergeTrees({ base, ours, theirs }, 'base'))
  return { ...result, text: (name: string) => textAt(merger.store, result.tree, name) }
}

function textAt(store: { get(oid: Oid, type: ObjectType): { data: Uint8Array } }, root: Oid, name: string): string {
  const data = Buffer.from(store.get(root, 'tree').data)
  const at = data.indexOf(` ${name}\0`) + name.length + 2
  return Buffer.from(store.get(data.toString('hex', at, at + 20) as Oid, 'blob').data).toString()
}

test('a tree that unfolds into a hundred million paths is over a limit', () => {
  const store = new MemoryStore()
  const bomb = unfoldingTree(store, 8, Buffer.from('x\n'))
  // Ours removes a file that theirs changes, so that what ours added may be that file.
  const [base, theirs] = [[file(store, 'a', 'one\n')], [file(store, 'a', 'two\n')]]
  for (const limits of [{ maxPaths: 10_000 }, { maxEntries: 10_000 }])
    expect(kindOf(() => merge(store, [base, [{ mode: '40000', name: 'b', oid: bomb }], theirs], limits))).toBe('limit')
})

test('paths that no system opens are over a limit, however few trees they are made of', () => {
  const store = new MemoryStore()
  let oid = unfoldingTree(store, 1, Buffer.from('x\n'))
  for (let level = 0; level < 22; level++) oid = tree(store, [{ mode: '40000', name: 'n'.repeat(200), oid }])
  const [base, theirs] = [[file(store, 'a', 'one\n')], [file(store, 'a', 'two\n')]]
  expect(kindOf(() => merge(store, [base, [{ mode: '40000', name: 'b', oid }], theirs]))).toBe('limit')
})

test('what no side changed is not read, and need not be there', () => {
  const store = new MemoryStore()
  const absent: Item = { mode: '40000', name: 'z', oid: '1234567890123456789012345678901234567890' as Oid }
  const merged = merge(store, [
    [file(store, 'a', 'one\n'), absent],
    [file(store, 'a', 'two\n'), absent],
    [file(store, 'a', 'one\n'), file(store, 'b', 'new\n'), absent],
  ])
  expect([merged.isClean, merged.text('a'), merged.text('b')]).toEqual([true, 'two\n', 'new\n'])
})

test('more than the limit of what a merge may write is refused', () => {
  const store = new MemoryStore()
  const sides = ['a\nb\nc\n', 'x\nb\nc\n', 'a\nb\ny\n'].map((text) => [file(store, 'f', text)])
  expect(kindOf(() => merge(store, sides, { maxBytes: 10 }))).toBe('limit')
  expect(merge(store, sides).text('f')).toBe('x\nb\ny\n')
})

test('files too large to be merged are left as ours, in conflict', () => {
  const store = new MemoryStore()
  const large = 'x'.repeat(33 * 1024 * 1024)
  const merged = merge(store, [[file(store, 'f', `${large}0`)], [file(store, 'f', `${large}1`)], [file(store, 'f', `${large}2`)]])
  expect([merged.isClean, merged.conflicts.map(({ path }) => path), merged.notes[0]?.kind]).toEqual([false, ['f'], 'binary'])
})

test('labels stand in conflicts as they are, and long markers are cut to measure', () => {
  const store = new MemoryStore()
  const attributes = file(store, '.gitattributes', '* conflict-marker-size=99999999\n')
  const sides = ['one\n', 'two\n', 'three\n'].map((text) => [attributes, file(store, 'f', text)])
  const lines = merge(store, sides, { labels: { ours: 'ö', theirs: 'feature/ß' } })
    .text('f')
    .split('\n')
  expect(lines).toEqual([`${'<'.repeat(1000)} ö`, 'two', '='.repeat(1000), 'three', `${'>'.repeat(1000)} feature/ß`, ''])
})
