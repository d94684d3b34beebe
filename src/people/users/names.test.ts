import { expect, test } from 'bun:test'
import { makeConfig } from '#config.ts'
import { checkEmail, checkName } from './names.ts'

const config = makeConfig('/nowhere', { security: { RESERVED_USERNAMES: ['Boss'] } })

test.each(['a', '1', 'ada', 'Ada.Lovelace', 'a-b_c.d', 'console', 'con1', 'com', 'auxiliary', 'x'.repeat(40), 'git', 'keys', 'git.hub'])(
  'a person may be called %s',
  (name) => {
    expect(() => checkName(name, config)).not.toThrow()
  },
)

const malformed = [
  '',
  '.',
  '..',
  '-',
  '_a',
  '-a',
  '.a',
  'a.',
  'a-',
  'a_',
  'a..b',
  'a--b',
  'a.-b',
  'a b',
  'a/b',
  '../a',
  '..\\a',
  'a\\b',
  'a\0',
  'a\n',
  '\u202ea',
  'ä',
  'ａ',
  'a\u200cb',
  'a%2fb',
  'a@b',
  'a:b',
  'a~1',
  '$a',
  '$(x)',
  '`id`',
  '--output=x',
  '<b>',
  "a'b",
  'x'.repeat(41),
  'x'.repeat(100_000),
]

test.each(malformed.map((name) => [JSON.stringify(name.slice(0, 50)), name]))('no account may be called %s', (_, name) => {
  expect(() => checkName(name, config)).toThrow(/^name is invalid/)
})

test.each([
  'api-docs',
  'API',
  'users',
  'user',
  'repos',
  'assets',
  'avatars',
  'login',
  'metrics',
  'v2',
  'favicon.ico',
  'swagger.v1.json',
  'boss',
  'BOSS',
  'ghost',
])('the name %s is reserved, in any case', (name) => {
  expect(() => checkName(name, config)).toThrow(`name is reserved [name: ${name}]`)
})

test.each(['con', 'PRN', 'aux', 'nul', 'com1', 'Com9', 'lpt1', 'con.txt', 'nul.tar.gz', 'com0'])('the Windows device %s is reserved', (name) => {
  expect(() => checkName(name, config)).toThrow(`name is reserved [name: ${name}]`)
})

test.each(['a.git', 'a.KEYS', 'a.gpg', 'a.rss', 'a.atom', 'a.png', 'a.wiki', 'a.lock'])('the ending of %s means something else in a path', (name) => {
  expect(() => checkName(name, config)).toThrow(/^name pattern is not allowed \[pattern: \*\.[a-z]+\]$/)
})

test.each(['a@b', 'ada@example.org', 'ada+tag@sub.example.org', "o'hara@x.org", 'a@127.0.0.1'])('%s is an address', (email) => {
  expect(() => checkEmail(email)).not.toThrow()
})

const badAddresses = [
  '',
  'a',
  '@b',
  'a@',
  '-oProxy@x.org',
  'a@b..c',
  'a@-b',
  'a@b-',
  'a b@c',
  'a@b\r\nBcc: x@y',
  'ä@b',
  'a@ä',
  'a@b,c@d',
  '<a@b>',
  `${'a'.repeat(65)}@b`,
  `a@${'b.'.repeat(130)}c`,
]

test.each(badAddresses)('%p is no address', (email) => {
  expect(() => checkEmail(email)).toThrow(/^e-mail invalid \[email: [ -~]*\]$/)
})
