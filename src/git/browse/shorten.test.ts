import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { collectGarbage } from '../../../test/no-collections.ts'
import { soak } from '../../../test/soak.ts'
import { parseCommit } from '../objects/commit.ts'
import { SHA1 } from '../objects/oid.ts'
import { parseTag } from '../objects/tag.ts'
import { shortenCommit, shortenTag, subjectOf } from './shorten.ts'

const MANY = 100
/** Kept whole, the fewer of them would already be twice what may be kept. */
const TELLINGS = soak(16, 100)
const MiB = 2 ** 20
const long = (seed: number) => String.fromCharCode(97 + (seed % 26)).repeat(MiB)
const who = 'A <a@b.example> 1 +0000'

const commit = (seed: number, header: string, message: string) =>
  Buffer.from(`tree ${SHA1.emptyTree}\nparent ${'1'.repeat(40)}\nauthor ${who}\ncommitter ${who}\n${header}\nsubject ${seed}\n\n${message}`)
const tag = (header: string, message: string) => Buffer.from(`object ${'1'.repeat(40)}\ntype commit\ntag v1\ntagger ${who}\n${header}\n${message}`)
const shortened = (data: Uint8Array) => shortenCommit(parseCommit(data), data.length, MANY)

const tellings: [what: string, tell: (seed: number) => unknown][] = [
  ['messages', (seed) => shortened(commit(seed, '', long(seed)))],
  ['names beside long headers', (seed) => shortened(commit(seed, `x-more ${long(seed)}\n`, ''))],
  ['the first lines of messages', (seed) => subjectOf(parseCommit(commit(seed, '', long(seed))).message)],
  ['tags', (seed) => shortenTag(parseTag(tag('', long(seed))), MiB, MANY)],
  ['taggers beside long headers', (seed) => shortenTag(parseTag(tag(`x-more ${long(seed)}\n`, '')), MiB, MANY)],
]

describe('of large commits and tags, nothing is kept but what is told:', () => {
  test.each(tellings)('%s', (_, tell) => {
    const before = bytesAlive()
    const told = Array.from({ length: TELLINGS }, (_, seed) => tell(seed))
    expect(bytesAlive() - before).toBeLessThan(8 * MiB)
    expect(told.length).toBe(TELLINGS)
  })
})

function bytesAlive(): number {
  collectGarbage(true)
  return heapStats().heapSize
}
