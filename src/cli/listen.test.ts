import { expect, spyOn, test } from 'bun:test'
import type { App } from '#app.ts'
import { eventually } from '../../test/eventually.ts'
import { testForge } from '../../test/harness.ts'
import { listen } from './listen.ts'

test('of what nobody expected, whoever asks is shown a number alone', async () => {
  await using forge = testForge({ server: { HTTP_PORT: 0 } })
  const { error } = forge.app
  const fail = () => {
    throw new Error('what is private')
  }
  using logging = spyOn(forge.context.log, 'error').mockImplementation(() => {})
  for (const fetch of [fail, () => Promise.reject(new Error('what is private'))]) {
    using server = listen({ answer: fetch, error } as unknown as App, forge.context)
    const answer = await globalThis.fetch(server.url, { headers: { Accept: 'text/html' } })
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringMatching(/^{"message":"Internal server error. The server log has details under the ID [0-9a-f]{12}\./),
    ])
  }
  expect(logging).toHaveBeenCalledTimes(2)
})

test('what is asked before the server is ready is answered once it is', async () => {
  await using forge = testForge({ server: { HTTP_PORT: 0 } })
  const { promise: ready, resolve: begin } = Promise.withResolvers<void>()
  const heard: string[] = []
  const answer = () => {
    heard.push('asked')
    return new Response('yes')
  }
  using server = listen({ answer, error: forge.app.error } as unknown as App, forge.context, ready)
  const first = fetch(server.url)
  await eventually(() => server.pendingRequests > 0)
  expect(heard).toEqual([])
  heard.push('ready')
  begin()
  expect([await (await first).text(), await (await fetch(server.url)).text(), heard]).toEqual(['yes', 'yes', ['ready', 'asked', 'asked']])
})
