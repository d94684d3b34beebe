import { expect, test } from 'bun:test'
import { type Category, categories, covers, grants, neededLevel, normalizeScopes, parseGrant } from './scopes.ts'

const everyWrite = categories.map((category) => `write:${category}`)

test.each<[string, string[], string]>([
  ['nothing', [], ''],
  ['one', ['read:user'], 'read:user'],
  ['duplicates', ['read:user', 'read:user'], 'read:user'],
  ['spaces and empty texts', [' read:user ', '', ' '], 'read:user'],
  ['write swallows read, in either order', ['read:issue', 'write:issue', 'read:issue'], 'write:issue'],
  ['categories are sorted', ['read:user', 'read:admin'], 'read:admin,read:user'],
  ['all swallows the rest', ['read:user', 'all'], 'all'],
  ['the whole set is all', everyWrite, 'all'],
  ['the whole set without one is not', everyWrite.slice(1), everyWrite.slice(1).join(',')],
  ['public-only stays beside all', ['public-only', 'all'], 'all,public-only'],
  ['sudo is a scope of old, ignored', ['sudo', 'read:user'], 'read:user'],
])('scopes normalize: %s', (_, asked, scopes) => {
  expect(normalizeScopes(asked)).toEqual({ scopes })
  expect(normalizeScopes(scopes.split(','))).toEqual({ scopes })
})

test.each(['repo', 'read', 'read:', 'read:users', 'admin:user', 'read:user:all', 'ALL', 'Read:user', '__proto__', 'read:__proto__', 'read:constructor'])(
  'a scope that is not known is named, not dropped: %s',
  (scope) => {
    expect(normalizeScopes(['read:user', scope])).toEqual({ unknown: scope })
  },
)

test.each<[scopes: string, needed: Category[], level: 'read' | 'write', verdict: boolean]>([
  ['read:user', ['user'], 'read', true],
  ['read:user', ['user'], 'write', false],
  ['write:user', ['user'], 'read', true],
  ['write:user', ['user'], 'write', true],
  ['write:user', ['repository'], 'read', false],
  ['write:user', ['user', 'repository'], 'read', false],
  ['read:user,read:repository', ['user', 'repository'], 'read', true],
  ['read:user,write:repository', ['user', 'repository'], 'write', false],
  ['all', ['admin'], 'write', true],
  ['public-only', ['user'], 'read', false],
  ['', ['user', 'admin'], 'write', true],
])('a token of [%s] on %p to %s: %p', (scopes, needed, level, verdict) => {
  expect(grants(parseGrant(scopes), needed, level)).toBe(verdict)
})

test.each<[held: string, asked: string, verdict: boolean]>([
  ['all', 'all', true],
  ['all', 'write:admin,public-only', true],
  ['write:user', 'read:user', true],
  ['write:user', 'write:user', true],
  ['read:user', 'write:user', false],
  ['write:user', 'all', false],
  ['write:user', 'read:user,read:issue', false],
  ['all,public-only', 'all', false],
  ['all,public-only', 'all,public-only', true],
  ['read:user,public-only', 'read:user', false],
])('a token of [%s] could do all that one of [%s] can: %p', (held, asked, verdict) => {
  expect(covers(parseGrant(held), asked)).toBe(verdict)
})

test.each([
  ['GET', 'read'],
  ['HEAD', 'read'],
  ['OPTIONS', 'read'],
  ['POST', 'write'],
  ['PUT', 'write'],
  ['PATCH', 'write'],
  ['DELETE', 'write'],
  ['PROPFIND', 'write'],
] as const)('%s needs %s', (method, level) => {
  expect(neededLevel(method)).toBe(level)
})
