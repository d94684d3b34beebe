import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as oidc from 'openid-client'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { type Application, discover, letIn, makeApplication } from './client.fixture.ts'

/** Judged by a certified client library, which checks what it is answered: issuer, state, nonce, signature, audience, times. */

let forge: TestForge
let ada: Person
let application: Application
beforeAll(async () => {
  forge = testForge()
  ada = await forge.person('ada', { fullName: 'Ada Lovelace' })
  await forge.person('maker')
  application = await makeApplication(forge, 'maker')
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a client that knows nothing but the address signs a person in, and learns who it is', async () => {
  const config = await discover(forge, application)
  const tokens = await letIn(forge, ada, config)
  expect(tokens.claims()).toMatchObject({ sub: String(ada.row.id), preferred_username: 'ada', name: 'Ada Lovelace', email: 'ada@example.org', groups: [] })
  const info = await oidc.fetchUserInfo(config, tokens.access_token, String(ada.row.id))
  expect(info).toMatchObject({ preferred_username: 'ada', email: 'ada@example.org' })
  expect((await forge.call('GET /user', { headers: { Authorization: `Bearer ${tokens.access_token}` } })).body).toMatchObject({ login: 'ada' })
})
