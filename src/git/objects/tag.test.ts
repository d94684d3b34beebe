import { describe, expect, test } from 'bun:test'
import { kindOf } from '../store/contract.ts'
import type { Oid } from './oid.ts'
import type { Tag } from './tag.ts'
import { parseTag } from './tag.ts'

const object = '1'.repeat(40) as Oid
const tagger = { name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone: '+0100' }
const header = `object ${object}\ntype commit\ntag v1\n`
const signature = '-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----\n'

describe('a tag', () => {
  const cases: { name: string; text: string; tag: Tag }[] = [
    {
      name: 'plain',
      text: `${header}tagger Ada <ada@example.org> 1700000000 +0100\n\none\n`,
      tag: { object, type: 'commit', name: 'v1', tagger, message: 'one\n' },
    },
    { name: 'of git’s first year, without a tagger', text: `${header}\nold\n`, tag: { object, type: 'commit', name: 'v1', message: 'old\n' } },
    { name: 'signed', text: `${header}\nsigned\n${signature}`, tag: { object, type: 'commit', name: 'v1', message: 'signed\n', signature } },
    {
      name: 'that quotes a signature and then has one',
      text: `${header}\n${signature}said he\n${signature}`,
      tag: { object, type: 'commit', name: 'v1', message: `${signature}said he\n`, signature },
    },
    { name: 'without a message', text: `${header}\n`, tag: { object, type: 'commit', name: 'v1', message: '' } },
  ]

  test.each(cases)('$name is read', ({ text, tag }) => {
    expect(parseTag(Buffer.from(text))).toEqual(tag)
  })
})

test.each(['', 'object x\ntype commit\ntag v1\n\n', `object ${object}\ntag v1\n\n`, `object ${object}\ntype thing\ntag v1\n\n`])('%j is no tag', (text) => {
  expect(kindOf(() => parseTag(Buffer.from(text)))).toBe('corrupt')
})
