import { expect, test } from 'bun:test'
import { expandBytes, expandPath, expandVariables } from './expand-variables.ts'

const variables = { A: 'value', EMPTY: '', DOLLAR: '$A', UMLAUT: 'grün', PATH: '../x/y', CON: 'con' }

test.each([
  [`$A \${A}$A`, 'value valuevalue'],
  [`$AB \${AB}`, 'AB AB'],
  ['$A-b $A_b', 'value-b A_b'],
  [`\${EMPTY}$EMPTY.`, '.'],
  ['$DOLLAR', '$A'],
  ['$$A $$$A', '$A $value'],
  [`$ $(x) $& \${`, `$ $(x) $& \${`],
  [`\${} \${__proto__} $constructor \${toString}`, ' __proto__ constructor toString'],
  [`\${A\n}`, `\${A\n}`],
])('%p becomes %p', (text, expanded) => {
  expect(expandVariables(text, variables)).toBe(expanded)
})

test('bytes that name nothing stay as they are, and values are UTF-8', () => {
  const data = Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('$UMLAUT'), Buffer.from([0xc3])])
  expect(Buffer.from(expandBytes(data, variables))).toEqual(Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('grün'), Buffer.from([0xc3])]))
})

test.each([
  ['a/$A.md', 'a/value.md'],
  ['$PATH/a', '__x_y/a'],
  ['$EMPTY/a', '_/a'],
  ['$CON', '_'],
  ['a b:c/$A', 'a b:c/value'],
])('the path %p becomes %p', (path, expanded) => {
  expect(expandPath(path, variables)).toBe(expanded)
})
