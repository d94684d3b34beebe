import { expect, test } from 'bun:test'
import { Porcelain } from '../porcelain.ts'
import { MemoryStore } from './memory.ts'
import { ScratchStore } from './scratch-store.ts'

const who = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0000' }

test('only what the tips lead to and the repository lacks is worth keeping, what is needed first', async () => {
  const stored = new MemoryStore()
  const old = stored.write('blob', Buffer.from('old'))
  const scratch = new ScratchStore(stored, 1_000_000)
  const porcelain = new Porcelain(scratch)
  porcelain.writeBlob('only tried')
  const tree = porcelain.writeFiles([
    { path: 'a/b/new', data: 'new' },
    { path: 'old', data: 'old' },
  ])
  const parent = await porcelain.writeCommit({ tree, parents: [], author: who, committer: who, message: 'First' })
  const child = await porcelain.writeCommit({ tree, parents: [parent], author: who, committer: who, message: 'Second' })
  const tag = await porcelain.writeTag({ target: child, targetType: 'commit', name: 'v1', tagger: who, message: 'One' })
  const kept = scratch.reachable([tag, tag, old])
  expect(kept.map(({ object }) => object.type)).toEqual(['blob', 'tree', 'tree', 'tree', 'commit', 'commit', 'tag'])
  expect(kept.at(-1)?.oid).toBe(tag)
  expect(kept.map(({ oid }) => oid)).not.toContain(old)
})

test('more than was allowed cannot be written', () => {
  const scratch = new ScratchStore(new MemoryStore(), 10)
  scratch.write('blob', Buffer.alloc(10))
  expect(() => scratch.write('blob', Buffer.alloc(1, 1))).toThrow('over the limit')
})
