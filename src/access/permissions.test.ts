import { expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import { createRepo } from '#repositories/repos/index.ts'
import { testForge } from '../../test/harness.ts'
import { visibleAccounts } from './accounts-store.ts'
import { type Level, units } from './levels.ts'
import { canSee, canSeeOrg, canSeeUser, permissionIn } from './permissions.ts'
import type { RepoRow, UserRow, Visibility } from './rows.ts'
import { parseGrant } from './scopes.ts'
import { findUserById } from './store.ts'
import { anonymous, type Viewer } from './viewer.ts'

type Who = 'nobody' | 'stranger' | 'restricted' | 'collaborator' | 'self' | 'admin' | 'public-only self' | 'public-only admin'

async function cast() {
  const forge = testForge()
  const people = {
    owner: (await forge.person('owner')).row,
    stranger: (await forge.person('stranger')).row,
    restricted: (await forge.person('restricted', { isRestricted: true })).row,
    collaborator: (await forge.person('collaborator')).row,
    admin: (await forge.person('root1', { isAdmin: true })).row,
  }
  const as = (user: UserRow, scopes?: string): Viewer => ({
    user,
    grant: scopes === undefined ? undefined : parseGrant(scopes),
    via: 'token',
    queryToken: false,
  })
  const viewers: Record<Who, Viewer> = {
    nobody: anonymous,
    stranger: as(people.stranger),
    restricted: as(people.restricted),
    collaborator: as(people.collaborator),
    self: as(people.owner),
    admin: as(people.admin),
    'public-only self': as(people.owner, 'all,public-only'),
    'public-only admin': as(people.admin, 'all,public-only'),
  }
  return { forge, people, viewers }
}

const { forge, people, viewers } = await cast()
const { db } = forge.context
const repo = forge.repo({ row: people.owner, name: 'owner', token: '' }, 'thing')
db.tx((tx) => tx.run("INSERT INTO collaboration (repo_id, user_id, level) VALUES (?, ?, 'write')", repo.id, people.collaborator.id))

const inRepo: [who: Who, publicRepo: Level, privateRepo: Level, ofLimitedOwner: Level, ofPrivateOwner: Level][] = [
  ['nobody', 'read', 'none', 'none', 'none'],
  ['stranger', 'read', 'none', 'read', 'none'],
  ['restricted', 'none', 'none', 'none', 'none'],
  ['collaborator', 'write', 'write', 'write', 'write'],
  ['self', 'owner', 'owner', 'owner', 'owner'],
  ['admin', 'owner', 'owner', 'owner', 'owner'],
  ['public-only self', 'owner', 'none', 'none', 'none'],
  ['public-only admin', 'owner', 'none', 'none', 'none'],
]

test.each(inRepo)(
  '%s has, in a public repository, a private one, one of a limited and one of a private owner: %s, %s, %s, %s',
  (who, inPublic, inPrivate, ofLimited, ofPrivate) => {
    const levelIn = (change: Partial<RepoRow>, visibility: Visibility = 'public') =>
      permissionIn(db, viewers[who], { ...repo, ...change }, { ...people.owner, visibility }).level
    expect([levelIn({}), levelIn({ is_private: 1 }), levelIn({}, 'limited'), levelIn({}, 'private')]).toEqual([inPublic, inPrivate, ofLimited, ofPrivate])
  },
)

const ofAccounts: [who: Who, sees: Visibility[]][] = [
  ['nobody', ['public']],
  ['stranger', ['public', 'limited']],
  ['restricted', ['public']],
  ['self', ['public', 'limited', 'private']],
  ['admin', ['public', 'limited', 'private']],
  ['public-only self', ['public']],
  ['public-only admin', ['public']],
]

test.each(ofAccounts)('%s sees accounts that are %p', (who, sees) => {
  const visible = (['public', 'limited', 'private'] as const).filter((visibility) => canSeeUser(viewers[who], { ...people.owner, visibility }))
  expect(visible).toEqual(sees)
})

test('a unit that is switched off is there for nobody, and a repository without units only for who can switch them on', () => {
  const withOff = (who: Who, off: readonly string[]) =>
    permissionIn(db, viewers[who], { ...repo, settings: JSON.stringify({ disabled_units: off }) }, people.owner)
  expect(withOff('self', ['issues']).of('issues')).toBe('none')
  expect(withOff('self', ['issues']).of('code')).toBe('owner')
  expect((['self', 'collaborator', 'stranger'] as const).map((who) => canSee(withOff(who, units)))).toEqual([true, false, false])
})

test('a collaboration that ends is over at the next question', () => {
  const brief = forge.repo({ row: people.owner, name: 'owner', token: '' }, 'brief')
  const level = () => permissionIn(db, viewers.collaborator, { ...brief, is_private: 1 }, people.owner).level
  db.tx((tx) => tx.run("INSERT INTO collaboration (repo_id, user_id, level) VALUES (?, ?, 'read')", brief.id, people.collaborator.id))
  expect(level()).toBe('read')
  db.tx((tx) => tx.run('DELETE FROM collaboration WHERE repo_id = ?', brief.id))
  expect(level()).toBe('none')
})

test("an organization's owner owns its repositories; other members and strangers do not", () => {
  const org = createOrg(forge.context, people.stranger, { username: 'acme' })
  const row = createRepo(forge.context, { owner: org, actor: people.stranger, name: 'secret', private: true })
  db.tx((tx) => tx.insert('org_membership', { org_id: org.id, user_id: people.collaborator.id, is_owner: 0, is_public: 0 }))
  const owner = findUserById(db, org.id) as UserRow
  const levels = (['stranger', 'collaborator', 'self', 'nobody'] as const).map((who) => permissionIn(db, viewers[who], row, owner).level)
  expect(levels).toEqual(['owner', 'none', 'none', 'none'])
})

test('lists of accounts show what may be seen of each', () => {
  for (const visibility of ['public', 'limited', 'private'] as const)
    createOrg(forge.context, people.collaborator, { username: `${visibility}-org`, visibility })
  const accounts = db.all<UserRow>('SELECT * FROM user ORDER BY id')
  for (const visibility of ['public', 'limited', 'private'] as const) {
    db.tx((tx) => tx.update('user', people.owner.id, { visibility }))
    for (const viewer of Object.values(viewers)) {
      const { sql, values } = visibleAccounts(viewer)
      const seen = accounts
        .map(({ id }) => findUserById(db, id) as UserRow)
        .filter((row) => (row.kind === 'person' ? canSeeUser(viewer, row) : canSeeOrg(db, viewer, row)))
      expect(db.all(`SELECT id FROM user WHERE ${sql} ORDER BY id`, ...values)).toEqual(seen.map(({ id }) => ({ id })))
    }
  }
})
