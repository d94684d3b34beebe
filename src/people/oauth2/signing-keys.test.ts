import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oidc from 'openid-client'
import { SecretBox } from '#kernel/secret-box.ts'
import { testForge } from '../../../test/harness.ts'
import { discover, fetchFrom, letIn, makeApplication } from './client.fixture.ts'
import { SigningKeys } from './signing-keys.ts'

test.each(['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])('a client verifies what is signed by %s', async (algorithm) => {
  await using forge = testForge({ oauth2: { JWT_SIGNING_ALGORITHM: algorithm } })
  const ada = await forge.person('ada')
  const config = await discover(forge, await makeApplication(forge, 'ada'))
  oidc.enableNonRepudiationChecks(config)
  const { id_token = '' } = await letIn(forge, ada, config)
  const set = createRemoteJWKSet(new URL(`${forge.context.rootUrl}login/oauth/keys`), { [customFetch]: fetchFrom(forge) as never })
  expect(decodeProtectedHeader(id_token)).toMatchObject({ alg: algorithm, kid: expect.any(String) })
  expect((await jwtVerify(id_token, set, { issuer: 'http://localhost:3000' })).payload.sub).toBe(String(ada.row.id))
})

test('what is published tells nothing of the key that signs, and the store tells it to nobody', async () => {
  await using forge = testForge()
  const { keys } = await forge.context.services.get(SigningKeys).published()
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']])
  const [row] = forge.context.db.all<{ sealed: string }>('SELECT sealed FROM oauth2_signing_key')
  const jwk = JSON.parse(forge.context.secrets.open(row?.sealed ?? '', 'oauth2 signing key')) as Record<string, string>
  const stored = Buffer.from(forge.context.db.serialize()).toString('latin1')
  for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(stored).not.toContain(jwk[member] ?? member)
})

test('one key is made, however many ask for it at once, and it is there again after a restart', async () => {
  await using forge = testForge()
  const keys = new SigningKeys(forge.context)
  const published = await Promise.all(Array.from({ length: 5 }, () => keys.published()))
  expect(new Set(published.map(({ keys }) => keys[0]?.kid)).size).toBe(1)
  expect(await new SigningKeys(forge.context).published()).toEqual(await keys.published())
})

test('another algorithm makes another key; what the former has signed is still verified', async () => {
  await using forge = testForge()
  const { config } = forge.context
  const former = await new SigningKeys(forge.context).sign({ sub: '1', iss: 'http://localhost:3000', aud: 'c' })
  Object.assign(config.oauth2, { JWT_SIGNING_ALGORITHM: 'ES256' })
  const keys = new SigningKeys(forge.context)
  expect((await keys.published()).keys.map(({ alg }) => alg)).toEqual(['ES256', 'RS256'])
  expect(await keys.subjectOf(former, 'c')).toBe('1')
  expect(decodeProtectedHeader(await keys.sign({ sub: '1' })).alg).toBe('ES256')
})

test('where the key of the store is lost, another signs from then on', async () => {
  await using forge = testForge()
  const former = await new SigningKeys(forge.context).published()
  rmSync(join(forge.context.config.dataPath, 'secret.key'))
  const context = { ...forge.context, secrets: new SecretBox(forge.context.config.dataPath) }
  const { keys } = await new SigningKeys(context).published()
  expect(keys).toHaveLength(1)
  expect(keys[0]?.kid).not.toBe(former.keys[0]?.kid)
})
