import { afterAll, beforeEach, expect, spyOn, test } from 'bun:test'
import type { Row, Tx } from '#kernel/db.ts'
import { type Person, testForge } from '../../../test/harness.ts'

/** What happens to accounts while a request about them, or of theirs, waits for a password to be hashed. */

const PASSWORD = 'correct horse'
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { db } = forge.context
const root = await forge.person('root1', { isAdmin: true, password: PASSWORD })
let boss: Person
let ada: Person
let counter = 0
beforeEach(async () => {
  boss = await forge.person(`boss${++counter}`, { isAdmin: true })
  ada = await forge.person(`ada${counter}`, { password: PASSWORD })
})

/** Runs `change` while the next password is hashed. */
function meanwhile(change: (tx: Tx) => void) {
  const hash = Bun.password.hash
  return spyOn(Bun.password, 'hash').mockImplementationOnce(async (...asked) => {
    const made = await hash(...asked)
    db.tx(change)
    return made
  })
}

const row = (person: Person) => db.find<Record<string, unknown>>('SELECT * FROM user WHERE id = ?', person.row.id)
const edit = { source_id: 0, login_name: '', password: 'a better horse', full_name: 'Ada' }

test('an edit of who is deleted meanwhile finds nobody', async () => {
  using _ = meanwhile((tx) => tx.run('DELETE FROM user WHERE id = ?', ada.row.id))
  expect((await forge.asUser(root).patch(`/admin/users/${ada.name}`, edit)).status).toBe(404)
})

const losses: [name: string, lose: (tx: Tx, id: number) => void][] = [
  ['demoted', (tx, id) => tx.update('user', id, { is_admin: 0 })],
  ['barred', (tx, id) => tx.update('user', id, { prohibit_login: 1 })],
  ['deleted', (tx, id) => tx.run('DELETE FROM user WHERE id = ?', id)],
]

test.each(losses)('an administrator who is %s meanwhile edits and creates nobody', async (_, lose) => {
  const before = row(ada)
  const other = { username: `new${counter}`, email: `new${counter}@example.org`, password: PASSWORD }
  for (const [line, body] of [
    [`PATCH /admin/users/${ada.name}`, edit],
    ['POST /admin/users', other],
  ] as const) {
    const { is_admin, prohibit_login } = boss.row
    using _ = meanwhile((tx) => lose(tx, boss.row.id))
    expect((await forge.asUser(boss).send(line, { body })).status).toBe(401)
    if (row(boss)) db.tx((tx) => tx.update('user', boss.row.id, { is_admin, prohibit_login }))
  }
  expect(row(ada)).toEqual(before)
  expect((await forge.get(`/users/${other.username}`)).status).toBe(404)
})

test('who is given another password, or barred, while they choose one of their own keeps what was given', async () => {
  const headers = { Authorization: `Basic ${btoa(`${ada.name}:${PASSWORD}`)}` }
  for (const given of [{ password_hash: root.row.password_hash }, { prohibit_login: 1 }] as Row[]) {
    db.tx((tx) => tx.update('user', ada.row.id, { ...ada.row }))
    const expected = { ...row(ada), ...given }
    using _ = meanwhile((tx) => tx.update('user', ada.row.id, given))
    expect((await forge.post('/user/password', { password: 'a better horse' }, { headers })).status).toBe(401)
    expect(row(ada)).toEqual(expected)
  }
})

test('an account that is being purged is not edited back to life', async () => {
  db.tx((tx) =>
    tx.insert('job', { kind: 'admin.deleteAccount', key: String(ada.row.id), args: '{}', run_at: forge.context.clock.seconds() + 3600, created_at: 1 }),
  )
  expect((await forge.asUser(root).patch(`/admin/users/${ada.name}`, { ...edit, prohibit_login: false })).status).toBe(409)
})
