import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../../../test/git.ts'
import { makeTree } from '../../../test/pack-builder.ts'
import { defaultLimits } from '../limits.ts'
import { kindOf } from '../store/contract.ts'
import type { Oid } from './oid.ts'
import { hashObject, SHA1 } from './oid.ts'
import type { TreeEntry } from './tree.ts'
import { eachEntry, encodeTree, entryType, findEntry, parseTree } from './tree.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true }))

const blob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' as Oid
const entries: TreeEntry[] = [
  { mode: 0o100644, name: 'a', oid: blob },
  { mode: 0o100644, name: 'a.b', oid: blob },
  { mode: 0o040000, name: 'a0', oid: SHA1.emptyTree },
  { mode: 0o100755, name: 'a00', oid: blob },
  { mode: 0o040000, name: 'b', oid: SHA1.emptyTree },
  { mode: 0o100644, name: 'b0', oid: blob },
  { mode: 0o120000, name: 'link', oid: blob },
  { mode: 0o160000, name: 'module', oid: blob },
  { mode: 0o100644, name: 'ü\u{1f600}', oid: blob },
]

test('a tree has the id that git mktree gives it, whatever order its entries come in', async () => {
  const lines = entries.map(({ mode, name, oid }) => `${mode.toString(8).padStart(6, '0')} ${entryType(mode)} ${oid}\t${name}\0`)
  await git(['init', '--bare', '-q', directory])
  const made = await git(['-C', directory, 'mktree', '-z', '--missing'], { input: lines.join('') })
  expect(hashObject(SHA1, 'tree', encodeTree(entries.toReversed()))).toBe(made as Oid)
})

test('a tree comes out as it went in', () => {
  const data = encodeTree(entries)
  const parsed = parseTree(data)
  expect(parsed.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  expect(Buffer.compare(encodeTree(parsed), data)).toBe(0)
  for (const entry of entries) expect(findEntry(data, entry.name)).toEqual(entry)
  expect([findEntry(data, 'modul'), findEntry(data, 'modules'), findEntry(data, '')]).toEqual([undefined, undefined, undefined])
})

test('names that are not UTF-8 keep their bytes, and modes of long ago their value', () => {
  const latin1 = Buffer.from('gr\xfc\xdfe', 'latin1')
  const data = makeTree([['100664', latin1, blob]])
  const [entry] = parseTree(data) as [TreeEntry]
  expect(entry).toEqual({ mode: 0o100664, name: 'gr\ufffd\ufffde', oid: blob, rawName: new Uint8Array(latin1) })
  expect(findEntry(data, latin1)).toEqual(entry)
  expect(Buffer.compare(encodeTree([entry]), data)).toBe(0)
})

test('the iteration ends when the visitor says so', () => {
  const seen: number[] = []
  eachEntry(encodeTree(entries), (mode) => seen.push(mode) === 3)
  expect(seen.length).toBe(3)
})

describe('what is no tree is corrupt', () => {
  const good = makeTree([['100644', 'name', blob]])

  test('a tree that is cut off anywhere', () => {
    for (let length = 1; length < good.length; length++) expect(kindOf(() => parseTree(good.subarray(0, length)))).toBe('corrupt')
  })

  test.each(['10064x name', ' name', '-1 name', '100644 ', '777777777777777777777777 name'])('an entry that begins "%s"', (text) => {
    expect(kindOf(() => parseTree(Buffer.concat([Buffer.from(`${text}\0`), good.subarray(-20)])))).toBe('corrupt')
  })
})

test('more entries or bytes than allowed are over a limit', () => {
  const data = encodeTree(entries)
  expect(parseTree(data, { ...defaultLimits, maxTreeEntries: entries.length }).length).toBe(entries.length)
  expect(kindOf(() => parseTree(data, { ...defaultLimits, maxTreeEntries: entries.length - 1 }))).toBe('limit')
  expect(kindOf(() => parseTree(data, { ...defaultLimits, maxParsedBytes: data.length - 1 }))).toBe('limit')
})

test.each(['', 'a/b', 'a\0b'])('a tree with the name %j is refused', (name) => {
  expect(kindOf(() => encodeTree([{ mode: 0o100644, name, oid: blob }]))).toBe('refused')
})

test('a file and a directory of one name are refused, however far apart they sort', () => {
  const file = { mode: 0o100644, oid: blob }
  expect(
    kindOf(() =>
      encodeTree([
        { ...file, name: 'a' },
        { ...file, name: 'a.b' },
        { mode: 0o040000, name: 'a', oid: SHA1.emptyTree },
      ]),
    ),
  ).toBe('refused')
})
