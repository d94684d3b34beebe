import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RepoAccess, UserRow } from '#access/index.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { RefHooks } from '#repositories/refs/hooks.ts'
import { findRef, updateRefs } from '#repositories/refs/index.ts'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import { push } from '../../doors/git-http/receive.fixture.ts'
import { refuseEdits } from './refuse-edits.ts'

/** Every way in which a branch can move, against every kind of rule: what a rule forbids does not happen, whichever way it is tried. */

const forge = testForge()
const ada = forge.asUser('ada')
const people: Record<string, Person> = {}
/** `src` and `docs` are on top of `base`, and change a file there; `aside` is not. */
const commits: Record<string, Oid> = {}
const at = '/repos/ada/it'
let tried = 0

beforeAll(async () => {
  Object.assign(people, await repositoryWithPeople(forge, { bob: 'write', cy: 'write' }, { name: 'it' }))
  await commit('main', 'base', 'src/a.ts')
  commits.base = tipOf('main') as Oid
  for (const name of ['src', 'docs']) await commit('main', name, `${name}/new.md`)
  await commit('docs', 'aside', 'README.txt')
})
afterAll(() => forge[Symbol.asyncDispose]())

async function commit(from: string, to: string, path: string): Promise<void> {
  const body = { content: btoa(path), branch: from, ...(to === 'base' ? {} : { new_branch: to }) }
  expect((await ada.post(`${at}/contents/${path}`, body)).status).toBe(201)
  commits[to] = tipOf(to === 'base' ? 'main' : to) as Oid
}

const tipOf = (branch: string) => findRef(forge.context.db, 1, `refs/heads/${branch}`)?.oid

/** As the server does for itself, whatever the rules. */
function put(branch: string, oid: Oid | undefined): void {
  const updates = [{ name: `refs/heads/${branch}`, new: oid ?? SHA1.zero }]
  forge.context.db.tx((tx) => updateRefs(forge.context, tx, { repoId: 1, actorId: 1, message: 'set up', updates, isOwn: true }))
}

/** What the branch is before and after, when nothing stands against it. */
interface Way {
  before: string | undefined
  after: string | undefined
  /** What of the answer says that it is forbidden. */
  try(branch: string, as: Person): Promise<number | string>
}

const pushing = (before: string | undefined, after: string | undefined): Way => ({
  before,
  after,
  try: (branch, as) => push(forge, as, 'ada/it', { commands: [`${oid(before)} ${oid(after)} refs/heads/${branch}`], ...(after ? { pack: emptyPack } : {}) }),
})
const oid = (name: string | undefined) => (name === undefined ? SHA1.zero : (commits[name] as Oid))
const emptyPack = (() => {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  return Buffer.concat([head, new Bun.CryptoHasher('sha1').update(head).digest()])
})()
const calling = (before: string | undefined, after: string | undefined, ask: (branch: string) => [line: string, body?: unknown]): Way => ({
  before,
  after,
  try: async (branch, as) => {
    const [line, body] = ask(encodeURI(branch))
    return (await forge.asUser(as).send(line, { body })).status
  },
})
const editing = (path: string) => calling('base', 'more', (branch) => [`POST ${at}/contents/${path}`, { content: 'bmV3', branch }])

const ways: Record<string, Way> = {
  push: pushing('base', 'src'),
  'push docs': pushing('base', 'docs'),
  force: pushing('src', 'docs'),
  create: pushing(undefined, 'base'),
  delete: pushing('base', undefined),
  edit: editing('src/edited.ts'),
  'edit docs': editing('docs/edited.md'),
  patch: calling('base', 'more', (branch) => [
    `POST ${at}/diffpatch`,
    { branch, content: 'diff --git a/src/p b/src/p\nnew file mode 100644\n--- /dev/null\n+++ b/src/p\n@@ -0,0 +1 @@\n+p\n' },
  ]),
  'edit elsewhere': calling(undefined, 'more', (branch) => [`POST ${at}/contents/src/else.ts`, { content: 'bmV3', branch: 'main', new_branch: branch }]),
  'edit over': calling('src', 'more', (branch) => [
    `POST ${at}/contents/src/else.ts`,
    { content: 'bmV3', branch: 'main', new_branch: branch, force_push: true },
  ]),
  move: calling('base', 'src', (branch) => [`PUT ${at}/branches/${branch}`, { new_commit_id: commits.src }]),
  'move over': calling('src', 'docs', (branch) => [`PUT ${at}/branches/${branch}`, { new_commit_id: commits.docs, force: true }]),
  make: calling(undefined, 'base', (branch) => [`POST ${at}/branches`, { new_branch_name: branch, old_ref_name: commits.base }]),
  drop: calling('base', undefined, (branch) => [`DELETE ${at}/branches/${branch}`]),
  'rename from': calling('base', undefined, (branch) => [`PATCH ${at}/branches/${branch}`, { name: `free/${++tried}` }]),
  'rename to': {
    before: undefined,
    after: 'base',
    try: async (branch, as) => {
      const other = `free/${++tried}`
      put(other, commits.base)
      return (await forge.asUser(as).patch(`${at}/branches/${other}`, { name: branch })).status
    },
  },
}

/** Tries all ways, each on a branch of its own that the rule is about; answers those that succeeded. */
async function succeeding(as: Person): Promise<string[]> {
  const done: string[] = []
  for (const [name, way] of Object.entries(ways)) {
    const branch = `p/${++tried}`
    if (way.before !== undefined) put(branch, oid(way.before))
    const told = await way.try(branch, as)
    const now = tipOf(branch)
    const isMoved = now !== (way.before === undefined ? undefined : oid(way.before))
    const isTold = typeof told === 'number' ? told < 300 : told.includes(`ok refs/heads/${branch}`)
    expect([name, isTold]).toEqual([name, isMoved])
    if (!isMoved && typeof told === 'number') expect([name, told]).toEqual([name, 403])
    if (!isMoved && typeof told === 'string') expect([name, told]).toEqual([name, expect.stringContaining('(branch protection "p/**")')])
    if (isMoved && way.after !== 'more') expect([name, now ?? SHA1.zero]).toEqual([name, oid(way.after)])
    if (isMoved) done.push(name)
    if (now) put(branch, undefined)
  }
  return done
}

const all = Object.keys(ways)
const without = (...names: string[]) => all.filter((name) => !names.includes(name))
const gone = ['delete', 'drop', 'rename from']
const forced = ['force', 'edit over', 'move over']
const pushes = without(...gone, ...forced)

test.each<[string, object, Record<string, string[]>]>([
  ['that says nothing lets nobody do anything', {}, { ada: [], bob: [], cy: [] }],
  ['with pushes lets all push who may write, and nobody force or delete', { enable_push: true }, { ada: pushes, bob: pushes, cy: pushes }],
  ['with forced pushes lets nobody delete', { enable_push: true, enable_force_push: true }, { ada: without(...gone), bob: without(...gone) }],
  ['with forced pushes alone lets nobody do anything', { enable_force_push: true }, { ada: [], bob: [] }],
  [
    'with a list lets those push that are on it, whoever the others are',
    { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['bob'], enable_force_push: true },
    { ada: [], bob: without(...gone), cy: [] },
  ],
  [
    'with a list for force lets the others push',
    { enable_push: true, enable_force_push: true, enable_force_push_allowlist: true, force_push_allowlist_usernames: ['bob'] },
    { ada: pushes, bob: without(...gone), cy: pushes },
  ],
  [
    'with two lists forces only who is on both',
    {
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['ada'],
      enable_force_push: true,
      enable_force_push_allowlist: true,
      force_push_allowlist_usernames: ['ada', 'bob'],
    },
    { ada: without(...gone), bob: [], cy: [] },
  ],
  [
    'with unprotected files lets all change those',
    { unprotected_file_patterns: 'x;Docs/**' },
    { ada: ['push docs', 'edit docs'], cy: ['push docs', 'edit docs'] },
  ],
  [
    'with protected files lets nobody change those by what they push',
    { enable_push: true, enable_force_push: true, protected_file_patterns: 'x; SRC/**' },
    { ada: ['push docs', 'create', 'edit docs', 'make', 'rename to'], cy: ['push docs', 'create', 'edit docs', 'make', 'rename to'] },
  ],
  [
    'with signed commits lets nobody bring others',
    { enable_push: true, enable_force_push: true, require_signed_commits: true },
    { ada: ['create', 'make', 'rename to'], bob: ['create', 'make', 'rename to'] },
  ],
])('a rule %s', async (_, body, expected) => {
  expect((await ada.post(`${at}/branch_protections`, { rule_name: 'p/**', ...body })).status).toBe(201)
  try {
    for (const [name, names] of Object.entries(expected)) expect([name, await succeeding(people[name] as Person)]).toEqual([name, names])
  } finally {
    await ada.delete(`${at}/branch_protections/p%2F**`)
  }
})

test('without a rule all ways are open to all who may write', async () => {
  expect(await succeeding(people.cy as Person)).toEqual(all)
})

/** Makes a rule when a move has been prepared, and has not yet landed. */
async function withRuleBetween<T>(rules: object[], work: () => Promise<T>): Promise<T> {
  const { finders } = forge.context.services.get(RefHooks)
  const find = async () => {
    const body = rules.length > 1 ? rules.shift() : rules[0]
    await ada.delete(`${at}/branch_protections/p%2F**`)
    expect((await ada.post(`${at}/branch_protections`, { rule_name: 'p/**', ...body })).status).toBe(201)
  }
  finders.push({ guard: {}, find: () => find().then(() => undefined) })
  try {
    return await work()
  } finally {
    finders.pop()
    await ada.delete(`${at}/branch_protections/p%2F**`)
  }
}

test.each<[string, object[], string, RegExp | number]>([
  ['forbids it', [{}], 'push', /Not allowed to push to protected branch/],
  ['forbids it', [{}], 'edit', 403],
  ['forbids it', [{}], 'move', 403],
  ['forbids it', [{}], 'make', 403],
  ['is about its files', [{ enable_push: true, protected_file_patterns: 'src/**' }], 'push', /is protected from changing file src\/new.md/],
  ['is about its files', [{ enable_push: true, protected_file_patterns: 'src/**' }], 'edit', 403],
  ['is about its commits', [{ enable_push: true, require_signed_commits: true }], 'push', /is protected from unverified commit/],
  ['is about its commits', [{ enable_push: true, require_signed_commits: true }], 'edit', 403],
  [
    'is another each time',
    ['a', 'b', 'c', 'd'].map((name) => ({ enable_push: true, protected_file_patterns: name })),
    'push',
    /rules changed during the request/,
  ],
  ['is another each time', ['a', 'b', 'c', 'd'].map((name) => ({ enable_push: true, protected_file_patterns: name })), 'edit', 409],
])('a rule made between the preparation and the landing of a move, which %s, holds', async (_, rules, name, told) => {
  const way = ways[name] as Way
  const branch = `p/${++tried}`
  if (way.before !== undefined) put(branch, oid(way.before))
  const answer = await withRuleBetween([...rules], () => way.try(branch, people.ada as Person))
  expect(answer).toEqual(typeof told === 'number' ? told : expect.stringMatching(told))
  expect(tipOf(branch)).toBe(way.before === undefined ? undefined : oid(way.before))
})

test('many long paths are compared with long patterns where nobody waits, and forbidden ones are refused all the same', async () => {
  const body = { rule_name: 'p/**', enable_push: true, protected_file_patterns: `${'**a'.repeat(1300)}b;**/c` }
  await ada.post(`${at}/branch_protections`, body)
  put('p/long', commits.base)
  const paths = Array.from({ length: 20 }, (_, i) => `${`${'a'.repeat(190)}/`.repeat(20)}${i}`)
  const spent = cpuMeter()
  const access = { row: { id: 1 }, permission: { level: 'admin', of: () => 'admin' } } as unknown as RepoAccess
  refuseEdits(forge.context.db, access, { id: 1, lower_name: 'ada' } as UserRow, 'p/long', paths)
  expect(spent()).toBeLessThan(1000)
  const files = [...paths.slice(0, 1), 'd/c'].map((path) => ({ operation: 'create', path, content: btoa('x') }))
  expect((await ada.post(`${at}/contents`, { branch: 'p/long', files })).status).toBe(403)
  await ada.delete(`${at}/branch_protections/p%2F**`)
})

test('of one push what is forbidden is refused and the rest is not, in either order', async () => {
  await ada.post(`${at}/branch_protections`, { rule_name: 'p/**', enable_push: true, protected_file_patterns: 'src/**' })
  for (const names of [
    ['p/x', 'p/y', 'z'],
    ['z', 'p/y', 'p/x'],
  ]) {
    for (const name of names) put(name, commits.base)
    const target = { 'p/x': 'src', 'p/y': 'docs', z: 'src' } as Record<string, string>
    const commands = names.map((name) => `${commits.base} ${oid(target[name])} refs/heads/${name}`)
    const told = await push(forge, people.cy as Person, 'ada/it', { commands, pack: emptyPack })
    expect(told).toContain('ng refs/heads/p/x branch p/x is protected from changing file src/new.md')
    for (const name of ['p/y', 'z']) expect(told).toContain(`ok refs/heads/${name}`)
    expect(names.map((name) => tipOf(name) === commits.base)).toEqual(names.map((name) => name === 'p/x'))
  }
  await ada.delete(`${at}/branch_protections/p%2F**`)
})

test('a push that expects a branch elsewhere is told so, and not about rules', async () => {
  await ada.post(`${at}/branch_protections`, { rule_name: 'p/**', protected_file_patterns: 'src/**' })
  put('p/stale', commits.src)
  const told = await push(forge, people.cy as Person, 'ada/it', { commands: [`${commits.base} ${commits.docs} refs/heads/p/stale`], pack: emptyPack })
  expect(told).toContain('ng refs/heads/p/stale reference was already updated')
  await ada.delete(`${at}/branch_protections/p%2F**`)
})
