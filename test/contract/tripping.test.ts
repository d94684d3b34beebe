import { afterAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import { testForge } from '../harness.ts'

/** Answers that clients which were written for Gitea trip over when they differ. */
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root1', { isAdmin: true })
const ada = await forge.person('ada')
const asAda = forge.asUser(ada)
const bob = await forge.person('bob')
const asBob = forge.asUser(bob)
createOrg(forge.context, ada.row, { username: 'acme', visibility: 'private' })
await asAda.post('/orgs/acme/repos', { name: 'tool' })
const team = (await asAda.post<{ id: number }>('/orgs/acme/teams', { name: 'crew', permission: 'read', units: ['repo.code'] })).body.id

test("an administrator reads anybody's key by its id, others do not", async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'
  const made = await asBob.post<{ id: number }>('/user/keys', { title: 'one', key })
  expect(made.status).toBe(201)
  const read = async (as: typeof bob) => (await forge.asUser(as).get(`/user/keys/${made.body.id}`)).status
  expect([await read(root), await read(bob), await read(ada)]).toEqual([200, 200, 404])
})

test("the team's own organization is meant, whatever the path says", async () => {
  expect((await asAda.put(`/teams/${team}/repos/anything/tool`)).status).toBe(204)
  expect((await asAda.get(`/teams/${team}/repos/else/tool`)).body).toMatchObject({ full_name: 'acme/tool' })
})

test('who joins a team watches what it reaches, and finds the public repositories of the private organization among their own', async () => {
  const names = async () => (await asBob.get<{ full_name: string }[]>('/user/repos')).body.map((repo) => repo.full_name)
  expect(await names()).toEqual([])
  await asAda.put(`/teams/${team}/repos/acme/tool`)
  expect((await asAda.put(`/teams/${team}/members/bob`)).status).toBe(204)
  expect((await asBob.get<{ full_name: string }[]>('/user/subscriptions')).body).toMatchObject([{ full_name: 'acme/tool' }])
  expect((await asAda.delete(`/teams/${team}/repos/acme/tool`)).status).toBe(204)
  expect(await names()).toEqual(['acme/tool'])
  await asAda.delete(`/teams/${team}/members/bob`)
})

test('who is in a team watches a repository that it is given', async () => {
  const watchers = async () => (await asAda.get<{ login: string }[]>('/repos/acme/given/subscribers')).body.map(({ login }) => login)
  await asAda.post('/orgs/acme/repos', { name: 'given' })
  await asAda.put(`/teams/${team}/members/bob`)
  expect(await watchers()).toEqual(['ada'])
  await asAda.put(`/teams/${team}/repos/acme/given`)
  expect((await watchers()).sort()).toEqual(['ada', 'bob'])
  await asBob.delete('/repos/acme/given/subscription')
  await asAda.put(`/teams/${team}/repos/acme/given`)
  expect(await watchers()).toEqual(['ada'])
  await asAda.delete('/repos/acme/given')
  await asAda.delete(`/teams/${team}/members/bob`)
})

test('a person is found by the e-mail address that they show', async () => {
  const found = async (as: typeof bob | undefined) =>
    (await forge.asUser(as).get<{ data: { login: string }[] }>('/users/search?q=ADA@example.org')).body.data.map(({ login }) => login)
  expect([await found(bob), await found(undefined)]).toEqual([['ada'], []])
  await asAda.patch('/user/settings', { hide_email: true })
  expect(await found(bob)).toEqual([])
})

test('what is not there has no errors to tell', async () => {
  expect((await asAda.get('/repos/ada/none')).body.errors).toBeNull()
})

test('an empty repository has null for branches', async () => {
  await asAda.post('/user/repos', { name: 'empty' })
  const { status, body, headers } = await asAda.get('/repos/ada/empty/branches')
  expect([status, body, headers.get('x-total-count')]).toEqual([200, null as never, '0'])
})

test("a team's repository that is gone can be taken from it again, one that never was cannot", async () => {
  const takeAway = async (name: string) => (await asAda.delete(`/teams/${team}/repos/acme/${name}`)).status
  await asAda.put(`/teams/${team}/repos/acme/tool`)
  expect([await takeAway('tool'), await takeAway('tool'), await takeAway('none')]).toEqual([204, 204, 404])
})
