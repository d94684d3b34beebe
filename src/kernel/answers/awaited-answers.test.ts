import { expect, test } from 'bun:test'
import { AwaitedAnswers, keepOwnDeadline } from './awaited-answers.ts'

/** Bun looks at its connections every four seconds, and ends those whose time is up by the next look. */
const IDLE_SECONDS = 5

const LONG_MS = 9000

test('a connection is kept open until its answer is made, but for those that keep their own deadlines', async () => {
  let awaited: AwaitedAnswers
  await using server = Bun.serve({
    port: 0,
    idleTimeout: IDLE_SECONDS,
    fetch(request) {
      if (request.url.endsWith('/own')) keepOwnDeadline(request)
      const answer = Bun.sleep(LONG_MS).then(() => new Response('made'))
      awaited.add(request, answer)
      return answer
    },
  })
  awaited = new AwaitedAnswers(server, IDLE_SECONDS)
  const ask = (path: string) => fetch(new URL(path, server.url)).then((response) => response.text())
  const [kept, own] = await Promise.allSettled([ask('/'), ask('/own')])
  expect(kept).toEqual({ status: 'fulfilled', value: 'made' })
  expect(own.status).toBe('rejected')
}, 30_000)
