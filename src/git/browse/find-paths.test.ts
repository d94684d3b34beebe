import { expect, test } from 'bun:test'
import { rankPaths } from './find-paths.ts'

const paths = ['README.md', 'src/access/gate.ts', 'src/access/gate.test.ts', 'src/web/page.ts', 'src/git/packs/pack-index.ts', 'docs/Gateway.md']

const table: [claim: string, query: string, found: string[]][] = [
  ['a file’s exact name comes first', 'gate.ts', ['src/access/gate.ts']],
  ['letters need not stand together', 'packidx', ['src/git/packs/pack-index.ts']],
  ['their case means nothing, and blanks neither', 'GATE way', ['docs/Gateway.md']],
  ['directories are looked through, too', 'accessgate', ['src/access/gate.ts', 'src/access/gate.test.ts']],
  ['letters that are not there find nothing', 'zzz', []],
  ['letters in another order find nothing', 'stag', []],
  ['one letter is not used twice', 'readmee', []],
  ['an empty query finds all, in order', '', paths],
]

test.each(table)('%s', async (_, query, found) => {
  const got = await rankPaths([paths], { query, limit: 50 })
  expect(query === 'gate.ts' ? got.slice(0, 1) : got).toEqual(found)
})

test('no more are given than asked for, and they are the best', async () => {
  const many = Array.from({ length: 5000 }, (_, i) => `dir/a${i}b.ts`)
  expect(await rankPaths([many, ['ab.ts']], { query: 'ab.ts', limit: 3 })).toHaveLength(3)
  expect((await rankPaths([many, ['ab.ts']], { query: 'ab.ts', limit: 3 }))[0]).toBe('ab.ts')
})
