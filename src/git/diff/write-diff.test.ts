import { expect, test } from 'bun:test'
import { git } from '../../../test/git-fixture.ts'
import type { Oid } from '../objects/oid.ts'
import { writeMails } from './commit-mail.ts'
import { TwoTrees } from './two-trees.fixture.ts'
import { type MakeOptions, type Send, writeDiff } from './write-diff.ts'

const lines = (word: string, count: number) => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join('')
const before = { 'a.txt': lines('a', 100_000), 'b.txt': lines('b', 10), 'c.txt': lines('c', 100_000) }
const after = { 'a.txt': lines('x', 100_000), 'b.txt': lines('y', 10), 'c.txt': lines('z', 100_000) }

/** What happens in which order: memory asked for and given back, and pieces sent. */
function recorder() {
  const events: string[] = []
  let held = 0
  const send: Send = async () => void events.push(held > 0 ? 'sent while holding' : 'sent')
  const withMemory: MakeOptions['withMemory'] = async (bytes, work) => {
    events.push('asked')
    held = bytes
    try {
      return await work()
    } finally {
      held = 0
    }
  }
  return { events, send, withMemory }
}

test('patches of large files are made one after the other as there is memory, which no reader holds', async () => {
  using trees = new TwoTrees(before, after)
  const { events, send, withMemory } = recorder()
  await writeDiff(trees.store, trees.from, trees.to, { withMemory }, send)
  expect(events).toEqual(['asked', 'sent', 'asked', 'sent'])
})

test('so are those of mails', async () => {
  using trees = new TwoTrees(before, after)
  const { events, send, withMemory } = recorder()
  const commit = git(['rev-parse', 'refs/heads/t2'], { cwd: trees.gitDir }).toString().trim() as Oid
  await writeMails(trees.store, [commit], { withMemory }, send)
  expect(events.filter((event) => event === 'asked')).toHaveLength(2)
  expect(events).not.toContain('sent while holding')
})
