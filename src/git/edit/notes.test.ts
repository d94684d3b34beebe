import { expect, test } from 'bun:test'
import { sha256Hex } from '#kernel/ids.ts'
import type { Oid } from '../objects/oid.ts'
import { parseTree } from '../objects/tree.ts'
import { MemoryStore } from '../store/memory.ts'
import { ScratchStore } from '../store/scratch-store.ts'
import { dropNote, findNote, putNote } from './notes.ts'

const oidOf = (i: number) => sha256Hex(String(i)).slice(0, 40) as Oid
const text = (i: number) => Buffer.from(`note ${i}`)

function noted(count: number): { scratch: ScratchStore; root: Oid } {
  const scratch = new ScratchStore(new MemoryStore(), 1 << 30)
  let root: Oid | undefined
  for (let i = 0; i < count; i++) root = putNote(scratch, root, oidOf(i), text(i))
  return { scratch, root: root as Oid }
}

test('few notes lie side by side, many in directories, and all are found', () => {
  for (const [count, depth] of [
    [1, 0],
    [256, 0],
    [257, 1],
    [320, 1],
  ] as const) {
    const { scratch, root } = noted(count)
    const found = Array.from({ length: count }, (_, i) => findNote(scratch, root, oidOf(i)))
    expect(found.map((note) => note && Buffer.from(scratch.get(note.blob, 'blob').data).toString())).toEqual(
      Array.from({ length: count }, (_, i) => `note ${i}`),
    )
    expect(new Set(found.map((note) => note?.path.split('/').length))).toEqual(new Set([depth + 1]))
    expect(findNote(scratch, root, oidOf(count))).toBeUndefined()
  }
})

test('a note that is set again lies where it was, and one that is taken away leaves no directory', () => {
  const { scratch, root } = noted(300)
  const path = findNote(scratch, root, oidOf(7))?.path
  const changed = putNote(scratch, root, oidOf(7), text(8))
  expect(findNote(scratch, changed, oidOf(7))).toEqual({ path: path as string, blob: scratch.write('blob', text(8)) })
  let left: Oid | undefined = changed
  for (let i = 0; i < 300; i++) left = dropNote(scratch, left as Oid, oidOf(i))
  expect(parseTree(scratch.get(left as Oid, 'tree').data)).toEqual([])
  expect(dropNote(scratch, left as Oid, oidOf(0))).toBeUndefined()
})
