import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { outcome } from '../../../test/outcome.ts'
import { deleteUser } from './delete-user.ts'

const edit = (change: object) => ({ source_id: 0, login_name: '', ...change })

/** One administrator who can sign in, beside two who cannot. */
async function lonely() {
  const forge = testForge()
  const root = await forge.person('root1', { isAdmin: true })
  const barred = await forge.person('barred', { isAdmin: true })
  const idle = await forge.person('idle', { isAdmin: true })
  forge.context.db.tx((tx) => {
    tx.update('user', barred.row.id, { prohibit_login: 1 })
    tx.update('user', idle.row.id, { is_active: 0 })
  })
  return { forge, root }
}

test.each([{ admin: false }, { active: false }, { prohibit_login: true }])('the last administrator who can sign in is not edited to %j', async (change) => {
  const { forge, root } = await lonely()
  await using _ = forge
  const reply = await forge.asUser(root).patch('/admin/users/root1', edit(change))
  expect([reply.status, reply.body.message]).toEqual([422, `can not delete the last admin user [uid: ${root.row.id}]`])
  expect((await forge.asUser(root).get('/admin/users')).status).toBe(200)
})

test('nor deleted, while those who cannot sign in may go', async () => {
  const { forge, root } = await lonely()
  await using _ = forge
  for (const purge of [true, false]) expect(await outcome(deleteUser(forge.context, root.row, { purge }))).toThrow('can not delete the last admin user')
  for (const name of ['barred', 'idle']) expect((await forge.asUser(root).delete(`/admin/users/${name}`)).status).toBe(204)
})

test('the last administrator may be renamed, and edited otherwise', async () => {
  const { forge, root } = await lonely()
  await using _ = forge
  const harmless = edit({ admin: true, active: true, prohibit_login: false, full_name: 'Root' })
  expect((await forge.asUser(root).patch('/admin/users/root1', harmless)).status).toBe(200)
  expect((await forge.asUser(root).post('/admin/users/root1/rename', { new_username: 'chief' })).status).toBe(204)
})

test('of two administrators who demote each other at once one stays', async () => {
  const { forge, root } = await lonely()
  await using _ = forge
  const other = await forge.person('other', { isAdmin: true })
  const demote = { admin: false, password: 'a better horse' }
  await Promise.all([forge.asUser(root).patch('/admin/users/other', edit(demote)), forge.asUser(other).patch('/admin/users/root1', edit(demote))])
  expect(forge.context.db.all("SELECT id FROM user WHERE is_admin = 1 AND is_active = 1 AND prohibit_login = 0 AND kind = 'person'")).toHaveLength(1)
})
