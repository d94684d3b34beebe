import { afterAll, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
const bob = await forge.person('bob')
const root = await forge.person('root1', { isAdmin: true })
forge.repo(ada, 'engine')
forge.repo(ada, 'secret', { private: true })

test.each([
  ['GET', ''],
  ['GET', '/pre-receive'],
  ['PATCH', '/pre-receive'],
  ['DELETE', '/pre-receive'],
])('%s …/hooks/git%s: nobody has hook scripts, and who could have had them is told of webhooks', async (method, rest) => {
  const body = method === 'PATCH' ? { content: '#!/bin/sh\nid' } : undefined
  const ask = (name: string, as?: Parameters<typeof forge.token>[0] | string) => forge.call(`${method} /repos/ada/${name}/hooks/git${rest}`, { as, body })
  const statuses = await Promise.all([ask('engine'), ask('secret'), ask('secret', bob), ask('missing', ada)])
  expect(statuses.map(({ status }) => status)).toEqual([401, 404, 404, 404])
  for (const as of [ada, root, bob, forge.token(ada, 'write:user')]) expect((await ask('engine', as)).status).toBe(403)
  expect((await ask('engine', ada)).body.message).toStartWith('must be allowed to edit Git hooks: this server runs no hook scripts; webhooks')
  expect((await ask('engine', bob)).body.message).not.toContain('hook scripts')
})
