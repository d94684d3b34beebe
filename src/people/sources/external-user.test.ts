import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { accountName, createExternalUser, type ExternalPerson, setRights } from './external-user.ts'
import { putSource } from './sources.fixture.ts'

async function house() {
  const forge = testForge()
  const root = await forge.person('root1', { isAdmin: true })
  const sourceId = putSource(forge.context, 'ldap')
  const come = (person: Partial<ExternalPerson>) =>
    forge.context.db.tx((tx) => createExternalUser(forge.context, tx, { sourceId, loginName: 'grace', name: 'grace', email: 'grace@corp.example', ...person }))
  return { forge, root, sourceId, come }
}

test('who comes first gets an account without a password; who comes again has it', async () => {
  const { forge, sourceId, come } = await house()
  await using _ = forge
  const first = come({ fullName: 'Grace Hopper', isRestricted: true })
  const again = come({ name: 'other', email: 'other@corp.example' })
  expect([first.isNew, again.isNew, again.user.id]).toEqual([true, false, first.user.id])
  const facts = { name: 'grace', full_name: 'Grace Hopper', email: 'grace@corp.example', password_hash: '', is_active: 1, is_restricted: 1 }
  expect(first.user).toMatchObject({ ...facts, login_source: sourceId, login_name: 'grace', must_change_password: 0 })
})

test('the same name at another source is somebody else', async () => {
  const { forge, come } = await house()
  await using _ = forge
  const mail = putSource(forge.context, 'smtp')
  const here = come({})
  expect(() => come({ sourceId: mail })).toThrow('the username grace is already used')
  expect(come({ sourceId: mail, name: 'grace2', email: 'two@corp.example' }).user.id).not.toBe(here.user.id)
})

test.each<[string, Partial<ExternalPerson>, string]>([
  ['the name of a local account', { name: 'ROOT1' }, 'the username ROOT1 is already used'],
  ['the address of a local account', { email: 'Root1@Example.org' }, 'the email address Root1@Example.org is already used'],
  ['a name that the routes need', { name: 'api' }, 'name is reserved [name: api]'],
  ['a name of nothing', { name: '…' }, 'name is invalid []'],
  ['an address that is none', { email: 'x' }, 'e-mail invalid'],
  ['an address with a line in it', { email: 'a@b.example\nBcc: c' }, 'e-mail invalid'],
])('%s is not had by signing in elsewhere', async (_, person, message) => {
  const { forge, come } = await house()
  await using _forge = forge
  expect(() => come(person)).toThrow(message)
  expect(forge.context.db.find('SELECT count(*) AS n FROM user')).toEqual({ n: 1 })
})

test('a name or address of a deleted account is not had either', async () => {
  const { forge, root, come } = await house()
  await using _ = forge
  await forge.person('grace', { email: 'old@corp.example' })
  await forge.asUser(root).delete('/admin/users/grace?purge=true')
  expect(() => come({})).toThrow('name is reserved [name: grace]')
  expect(() => come({ name: 'neu', email: 'old@corp.example' })).toThrow('e-mail is reserved')
})

test('a source that was deleted or put out of use meanwhile lets nobody in', async () => {
  const { forge, sourceId, come } = await house()
  await using _ = forge
  come({})
  forge.context.db.tx((tx) => tx.update('login_source', sourceId, { is_active: 0 }))
  expect(() => come({})).toThrow('This authentication source is inactive.')
  expect(() => come({ sourceId: 77 })).toThrow('This authentication source is inactive.')
})

test.each([
  ['ada', 'ada'],
  [' Ada.Lovelace ', 'Ada.Lovelace'],
  ['ada@corp.example', 'ada'],
  ['@ada', 'ada'],
  ['Ádà Ünï', 'Ada-Uni'],
  ["O'Brien", 'OBrien'],
  ['Sørensen Æ', 'Sorensen-AE'],
  ['CORP\\ada', 'CORP-ada'],
  ['a..b__c', 'a.b_c'],
  ['-ada-', 'ada'],
  ['adа', 'ad'],
  ['x'.repeat(60), 'x'.repeat(40)],
  ['../etc/passwd', 'etc-passwd'],
  ['', ''],
])('%j is called %j here', (name, expected) => {
  expect(accountName(name)).toBe(expected)
})

test('rights are what the source says, but for the last administrator', async () => {
  const { forge, root, come } = await house()
  await using _ = forge
  const { db } = forge.context
  const now = (id: number) => db.find<{ is_admin: number; is_restricted: number }>('SELECT is_admin, is_restricted FROM user WHERE id = ?', id)
  const set = (row: typeof root.row, rights: object) => db.tx((tx) => setRights(forge.context, tx, row, rights))
  set(root.row, { isAdmin: false })
  expect(now(root.row.id)).toEqual({ is_admin: 1, is_restricted: 0 })
  const { user } = come({})
  set(user, { isAdmin: true, isRestricted: true })
  expect(now(user.id)).toEqual({ is_admin: 1, is_restricted: 0 })
  set(root.row, { isAdmin: false, isRestricted: true })
  expect(now(root.row.id)).toEqual({ is_admin: 0, is_restricted: 1 })
})
