import { afterAll, expect, test } from 'bun:test'
import { createOrg } from '#people/orgs/index.ts'
import { testForge } from '../harness.ts'

/** Answers that clients which were written for Gitea trip over when they differ. */
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const root = await forge.person('root1', { isAdmin: true })
const ada = await forge.person('ada')
const bob = await forge.person('bob')
createOrg(forge.context, ada.row, { username: 'acme', visibility: 'private' })
await forge.call('POST /orgs/acme/repos', { as: ada, body: { name: 'tool' } })
const team = (await forge.call<{ id: number }>('POST /orgs/acme/teams', { as: ada, body: { name: 'crew', permission: 'read', units: ['repo.code'] } })).body.id

test("an administrator reads anybody's key by its id, others do not", async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'
  const made = await forge.call<{ id: number }>('POST /user/keys', { as: bob, body: { title: 'one', key } })
  expect(made.status).toBe(201)
  const read = async (as: typeof bob) => (await forge.call(`GET /user/keys/${made.body.id}`, { as })).status
  expect([await read(root), await read(bob), await read(ada)]).toEqual([200, 200, 404])
})

test("the team's own organization is meant, whatever the path says", async () => {
  expect((await forge.call(`PUT /teams/${team}/repos/anything/tool`, { as: ada })).status).toBe(204)
  expect((await forge.call(`GET /teams/${team}/repos/else/tool`, { as: ada })).body).toMatchObject({ full_name: 'acme/tool' })
})

test('who joins a team watches what it reaches, and finds the public repositories of the private organization among their own', async () => {
  const names = async () => (await forge.call<{ full_name: string }[]>('GET /user/repos', { as: bob })).body.map((repo) => repo.full_name)
  expect(await names()).toEqual([])
  await forge.call(`PUT /teams/${team}/repos/acme/tool`, { as: ada })
  expect((await forge.call(`PUT /teams/${team}/members/bob`, { as: ada })).status).toBe(204)
  expect((await forge.call<{ full_name: string }[]>('GET /user/subscriptions', { as: bob })).body).toMatchObject([{ full_name: 'acme/tool' }])
  expect((await forge.call(`DELETE /teams/${team}/repos/acme/tool`, { as: ada })).status).toBe(204)
  expect(await names()).toEqual(['acme/tool'])
  await forge.call(`DELETE /teams/${team}/members/bob`, { as: ada })
})

test('who is in a team watches a repository that it is given', async () => {
  const watchers = async () => (await forge.call<{ login: string }[]>('GET /repos/acme/given/subscribers', { as: ada })).body.map(({ login }) => login)
  await forge.call('POST /orgs/acme/repos', { as: ada, body: { name: 'given' } })
  await forge.call(`PUT /teams/${team}/members/bob`, { as: ada })
  expect(await watchers()).toEqual(['ada'])
  await forge.call(`PUT /teams/${team}/repos/acme/given`, { as: ada })
  expect((await watchers()).sort()).toEqual(['ada', 'bob'])
  await forge.call('DELETE /repos/acme/given/subscription', { as: bob })
  await forge.call(`PUT /teams/${team}/repos/acme/given`, { as: ada })
  expect(await watchers()).toEqual(['ada'])
  await forge.call('DELETE /repos/acme/given', { as: ada })
  await forge.call(`DELETE /teams/${team}/members/bob`, { as: ada })
})

test('a person is found by the e-mail address that they show', async () => {
  const found = async (as: typeof bob | undefined) =>
    (await forge.call<{ data: { login: string }[] }>('GET /users/search?q=ADA@example.org', { as })).body.data.map(({ login }) => login)
  expect([await found(bob), await found(undefined)]).toEqual([['ada'], []])
  await forge.call('PATCH /user/settings', { as: ada, body: { hide_email: true } })
  expect(await found(bob)).toEqual([])
})

test('what is not there has no errors to tell', async () => {
  expect((await forge.call('GET /repos/ada/none', { as: ada })).body.errors).toBeNull()
})

test('an empty repository has null for branches', async () => {
  await forge.call('POST /user/repos', { as: ada, body: { name: 'empty' } })
  const { status, body, headers } = await forge.call('GET /repos/ada/empty/branches', { as: ada })
  expect([status, body, headers.get('x-total-count')]).toEqual([200, null as never, '0'])
})

test("a team's repository that is gone can be taken from it again, one that never was cannot", async () => {
  const takeAway = async (name: string) => (await forge.call(`DELETE /teams/${team}/repos/acme/${name}`, { as: ada })).status
  await forge.call(`PUT /teams/${team}/repos/acme/tool`, { as: ada })
  expect([await takeAway('tool'), await takeAway('tool'), await takeAway('none')]).toEqual([204, 204, 404])
})
