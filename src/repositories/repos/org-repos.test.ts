import { afterAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { removeDirectories } from '#repositories/repos/index.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { nextStart, stopBackground } from '../../../test/next-start.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { context } = forge
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
const addOrg = (username: string) => asAda.post('/orgs', { username })
const make = async (org: string, name: string) => (await asAda.post<{ id: number }>(`/orgs/${org}/repos`, { name, private: true })).body.id
const names = async (org: string) => (await asAda.get<{ name: string }[]>(`/orgs/${org}/repos`)).body.map(({ name }) => name)
const settled = ({ context }: TestForge) => context.jobs.resume()

test("an organization's user record is that of an account, and its repositories are listed under it", async () => {
  await addOrg('acme')
  await make('acme', 'tool')
  const { body } = await forge.get('/users/ACME')
  expect(body).toMatchObject({ login: 'acme', username: 'acme', visibility: 'public', is_admin: false, email: expect.stringContaining('noreply') })
  const listed = async (as?: typeof ada) => (await forge.asUser(as).get<{ full_name: string }[]>('/users/acme/repos')).body.map(({ full_name }) => full_name)
  expect([await listed(), await listed(ada)]).toEqual([[], ['acme/tool']])
})

test('a renamed organization is found under its old name, by those who may see it', async () => {
  await asAda.post('/orgs', { username: 'old', visibility: 'private' })
  await asAda.post('/orgs/old/rename', { new_name: 'new-one' })
  const moved = await asAda.get('/users/old/repos?page=1')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/v1/users/new-one/repos?page=1'])
  expect((await forge.get('/users/old')).status).toBe(404)
})

test('a deletion of all takes those there are, in the background, and leaves what is made after it', async () => {
  for (const org of ['emptied', 'spared']) await addOrg(org)
  const ids = [await make('emptied', 'one'), await make('emptied', 'two')]
  const other = await make('spared', 'kept')
  expect((await asAda.delete('/orgs/emptied/repos')).status).toBe(202)
  const late = await make('emptied', 'late')
  await settled(forge)
  expect([await names('emptied'), await names('spared')]).toEqual([['late'], ['kept']])
  await removeDirectories(context)
  expect([...ids, late, other].map((id) => existsSync(context.git.pathOf(id)))).toEqual([false, false, true, true])
  expect((await asAda.delete('/orgs/emptied/repos')).status).toBe(202)
  await settled(forge)
  expect((await asAda.delete('/orgs/emptied/repos')).status).toBe(204)
  expect((await asAda.delete('/orgs/emptied')).status).toBe(204)
})

await addOrg('many')
await make('many', 'kept')
test.each(['write:organization', 'write:repository', 'write:organization read:repository', 'read:organization write:repository'])(
  'a token needs to write both the organization and its repositories: %s does not do',
  async (scopes) => {
    const as = forge.token(ada, ...scopes.split(' '))
    expect((await forge.asUser(as).post('/org/many/repos', { name: 'new' })).status).toBe(403)
    expect((await forge.asUser(as).delete('/orgs/many/repos')).status).toBe(403)
    expect(await names('many')).toEqual(['kept'])
  },
)

test('what a stop interrupts goes on at the next start', async () => {
  await using forge = testForge()
  const { context } = forge
  const ada = await forge.person('ada')
  await forge.asUser(ada).post('/orgs', { username: 'many' })
  const row = { owner_id: (await forge.get<{ id: number }>('/orgs/many')).body.id, default_branch: 'main', created_at: 1, updated_at: 1 }
  const count = () => context.db.find<{ n: number }>('SELECT count(*) AS n FROM repository WHERE owner_id = ?', row.owner_id)?.n ?? 0
  context.db.tx((tx) => {
    for (let i = 0; i < 2000; i++) tx.insert('repository', { ...row, name: `r${i}`, lower_name: `r${i}` })
  })
  expect((await forge.asUser(ada).delete('/orgs/many/repos')).status).toBe(202)
  await eventually(() => count() < 2000)
  await stopBackground(context)
  expect(count()).toBeGreaterThan(0)

  await nextStart(context)
  expect(count()).toBe(0)
})
