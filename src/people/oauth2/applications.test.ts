import { afterAll, beforeAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { type Application, CALLBACK, makeApplication } from './client.fixture.ts'

const forge = testForge()
const ada = forge.asUser('ada')
beforeAll(async () => {
  for (const name of ['ada', 'bob']) await forge.person(name)
})
afterAll(() => forge[Symbol.asyncDispose]())

const PATH = '/user/applications/oauth2'

test('an application has an id for all to know, and a secret that is shown once', async () => {
  const made = await makeApplication(forge, 'ada', { name: 'Shown once' })
  expect(made).toMatchObject({ name: 'Shown once', redirect_uris: [CALLBACK], confidential_client: true, skip_secondary_authorization: false })
  expect(made.client_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(made.client_secret).toMatch(/^gto_\w{52,}$/)
  expect((await ada.get(`${PATH}/${made.id}`)).body).toEqual({ ...made, client_secret: '' })
  expect(JSON.stringify(forge.context.db.all('SELECT * FROM oauth2_application'))).not.toContain(made.client_secret)
})

test('changing one keeps what is not given, and makes a new secret', async () => {
  const made = await makeApplication(forge, 'ada')
  const { status, body } = await ada.patch<Application>(`${PATH}/${made.id}`, { name: 'Renamed' })
  expect([status, body]).toEqual([200, { ...made, name: 'Renamed', client_secret: expect.stringMatching(/^gto_/) }])
  expect(body.client_secret).not.toBe(made.client_secret)
})

test("others' applications are not there to see, to change or to delete", async () => {
  const { id } = await makeApplication(forge, 'ada')
  for (const method of ['GET', 'PATCH', 'DELETE']) expect((await forge.asUser('bob').send(`${method} ${PATH}/${id}`, { body: {} })).status).toBe(404)
  expect((await forge.asUser('bob').get<Application[]>(PATH)).body).toEqual([])
  expect((await ada.delete(`${PATH}/${id}`)).status).toBe(204)
  expect((await ada.get(`${PATH}/${id}`)).status).toBe(404)
})

test('they are listed in pages, with their number', async () => {
  await forge.person('many')
  for (let i = 0; i < 3; i++) await makeApplication(forge, 'many', { name: `Number ${i}` })
  const { body, headers } = await forge.asUser('many').get<Application[]>(`${PATH}?limit=2&page=2`)
  expect([body.map(({ name }) => name), headers.get('x-total-count')]).toEqual([['Number 2'], '3'])
})

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://ci.example.org/#part',
  'https://ci.example.org/#',
  'https://user@ci.example.org/',
  'https://user:secret@ci.example.org/',
  'https:ci.example.org/',
  'https:/ci.example.org/',
  'https://ci.example.org\\@evil.example/',
  'https://ci.example.org/\ncallback',
  'https://cı.example.org/',
  '/relative',
  'ci.example.org',
  '',
])('no application is answered at %j', async (uri) => {
  const { status } = await ada.post(PATH, { name: 'x', redirect_uris: [uri], confidential_client: true })
  expect(status).toBe(400)
})

test.each([
  'http://nas.lan:8080/callback',
  'https://ci.example.org',
  'http://127.0.0.1',
  'http://[::1]/',
  'org.example.app:/callback',
  'https://ci.example.org/a?b=c',
])('one can be answered at %s', async (uri) => {
  const { body } = await ada.post(PATH, { name: 'x', redirect_uris: [uri] })
  expect(body).toMatchObject({ redirect_uris: [uri], confidential_client: false })
})
