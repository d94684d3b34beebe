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
  const statuses = await Promise.all([
    forge.send(`${method} /repos/ada/engine/hooks/git${rest}`, { body }),
    forge.send(`${method} /repos/ada/secret/hooks/git${rest}`, { body }),
    forge.asUser(bob).send(`${method} /repos/ada/secret/hooks/git${rest}`, { body }),
    forge.asUser(ada).send(`${method} /repos/ada/missing/hooks/git${rest}`, { body }),
  ])
  expect(statuses.map(({ status }) => status)).toEqual([401, 404, 404, 404])
  for (const as of [ada, root, bob, forge.token(ada, 'write:user')])
    expect((await forge.asUser(as).send(`${method} /repos/ada/engine/hooks/git${rest}`, { body })).status).toBe(403)
  expect((await forge.asUser(ada).send(`${method} /repos/ada/engine/hooks/git${rest}`, { body })).body.message).toStartWith(
    'must be allowed to edit Git hooks: this server does not run hook scripts.',
  )
  expect((await forge.asUser(bob).send(`${method} /repos/ada/engine/hooks/git${rest}`, { body })).body.message).not.toContain('hook scripts')
})
