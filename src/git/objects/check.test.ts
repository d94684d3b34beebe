import { describe, expect, test } from 'bun:test'
import { idOf, makeCommit, makeTag, makeTree } from '../../../test/pack-builder.ts'
import { defaultLimits } from '../limits.ts'
import { checkObject } from './check.ts'
import type { ObjectType } from './oid.ts'
import { SHA1 } from './oid.ts'

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string]

describe('the links of an object are listed', () => {
  const rows: [type: ObjectType, data: string | Uint8Array, links: string[]][] = [
    ['blob', `tree ${one}\n`, []],
    ['commit', makeCommit(one, [two, three]), [`tree ${one}`, `commit ${two}`, `commit ${three}`]],
    ['tag', makeTag(one, 'tree'), [`tree ${one}`]],
    [
      'tree',
      makeTree([
        ['100644', 'a', one],
        ['160000', 'b', two],
        ['40000', 'c', three],
        ['120000', 'd', one],
      ]),
      [`blob ${one}`, `tree ${three}`, `blob ${one}`],
    ],
  ]
  for (const [type, data, links] of rows) {
    test(type, () => {
      const found = checkObject(SHA1, type, Buffer.from(data), defaultLimits)
      expect(found.links.map((link) => `${link.type} ${link.oid}`)).toEqual(links)
    })
  }
})

test('blobs that are .gitmodules files are named', () => {
  const tree = makeTree([
    ['100644', '.gitmodules', one],
    ['100644', 'other', two],
  ])
  expect(checkObject(SHA1, 'tree', tree, defaultLimits).modules.map(String)).toEqual([one])
})

test('an object over the limit is refused before it is looked at', () => {
  expect(() => checkObject(SHA1, 'commit', Buffer.alloc(100), { ...defaultLimits, maxParsedBytes: 99 })).toThrow(
    /100 bytes are over the limit of 99 for a commit/,
  )
  expect(() => checkObject(SHA1, 'tag', Buffer.alloc(100), { ...defaultLimits, maxCommitBytes: 99 })).toThrow(/over the limit of 99 for a tag/)
  expect(() => checkObject(SHA1, 'tree', Buffer.alloc(100), { ...defaultLimits, maxCommitBytes: 99 })).not.toThrow(/over the limit/)
})

test('a header far from its end is not searched for NULs beyond it', () => {
  expect(
    checkObject(SHA1, 'commit', Buffer.from(makeCommit(idOf('tree', ''), [], 'a\0b')), { ...defaultLimits, ignoredFaults: ['nulInCommit'] }).links,
  ).toHaveLength(1)
})
