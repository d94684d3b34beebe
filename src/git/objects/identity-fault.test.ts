import { expect, test } from 'bun:test'
import { findIdentityFault } from './identity-fault.ts'

const identities = [
  'Ada <ada@example.org> 1700000000 +0100',
  'A <> 0 -0000',
  '<a@b> 1 +0000',
  'A<a@b> 1 +0000',
  'A > <a@b>>',
  'A <a@b>  \t-5 +0000',
  ' <a@b> 07 1',
]
/** What the next line, or the next object in the same buffer, may begin with. */
const tails = ['', '>', '<', '> 1 +0000', ' ', ' 1 +0000', '\t1 +0000', '0', '01 +0000', '5', '-5 +0000', ' +0000', '+0000']

test('an identity, cut off anywhere, is judged by its own line, whatever the next one holds', () => {
  for (const identity of identities) {
    for (let end = 0; end <= identity.length; end++) {
      const own = identity.slice(0, end)
      const alone = findIdentityFault(Buffer.from(`${own}\n`), 0, end)
      for (const tail of tails) {
        expect({ own, tail, fault: findIdentityFault(Buffer.from(`<>${own}\n${tail}`), 2, end + 2) }).toEqual({ own, tail, fault: alone })
      }
    }
  }
})

test.each([
  ['', 'missingEmail'],
  ['Ada', 'missingEmail'],
  ['Ada ', 'missingEmail'],
  ['Ada <', 'badEmail'],
  ['Ada <a@b', 'badEmail'],
  ['Ada <a@b>', 'missingSpaceBeforeDate'],
  ['Ada <a@b> ', 'badDate'],
  ['Ada <a@b> 0', 'zeroPaddedDate'],
  ['Ada <a@b> 1', 'badDate'],
  ['Ada <a@b> -', 'badDate'],
  ['Ada <a@b> 1 ', 'badTimezone'],
  ['Ada <a@b> 1 +000', 'badTimezone'],
  ['Ada <a@b> 1 +0000', undefined],
  ['<', 'missingNameBeforeEmail'],
  ['>', 'badName'],
  [' <', 'badEmail'],
] as const)('"%s" that ends there: %p', (identity, id) => {
  expect(findIdentityFault(Buffer.from(`${identity}\n`), 0, identity.length)?.id).toBe(id as never)
})
