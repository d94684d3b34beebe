import { expect, test } from 'bun:test'
import { fakeTimers } from '../../../test/fake-timers.ts'
import { isSoak } from '../../../test/soak.ts'
import { AwaitedAnswers, keepOwnDeadline } from './awaited-answers.ts'

/** Bun looks at its connections every four seconds, and ends those whose time is up by the next look. */
const IDLE_SECONDS = 5

const ask = (path: string) => new Request(`http://localhost${path}`)

test('the deadline of a connection is put off until its answer is made, but for those that keep their own deadlines', async () => {
  using time = fakeTimers()
  const given: [path: string, seconds: number][] = []
  const timeout = (request: Request, seconds: number) => void given.push([new URL(request.url).pathname, seconds])
  const awaited = new AwaitedAnswers({ timeout }, 6)
  const made = Promise.withResolvers<void>()
  const own = ask('/own')
  keepOwnDeadline(own)
  awaited.add(ask('/long'), made.promise)
  awaited.add(own, made.promise)
  awaited.add(ask('/broken'), Promise.reject(new Error('broken')))
  await time.advance(9000)
  expect(given).toEqual(Array(4).fill(['/long', 6]))
  made.resolve()
  await time.advance(20_000)
  expect(given.length).toBe(4)
  awaited.add(ask('/next'), new Promise(() => {}))
  await time.advance(2000)
  expect(given.slice(4)).toEqual([['/next', 6]])
})

// It takes as long as Bun takes to end two connections: twenty seconds in which nothing moves.
if (isSoak)
  test('Bun keeps a connection whose deadline is put off, and ends those with their own deadlines', async () => {
    const made = Promise.withResolvers<void>()
    let awaited: AwaitedAnswers
    await using server = Bun.serve({
      port: 0,
      idleTimeout: IDLE_SECONDS,
      fetch(request) {
        if (request.url.endsWith('/own')) keepOwnDeadline(request)
        const answer = made.promise.then(() => new Response('made'))
        awaited.add(request, answer)
        return answer
      },
    })
    awaited = new AwaitedAnswers(server, IDLE_SECONDS)
    const read = (path: string) => fetch(new URL(path, server.url)).then((response) => response.text())
    const kept = read('/')
    for (let times = 0; times < 2; times++) expect((await Promise.allSettled([read('/own')]))[0].status).toBe('rejected')
    made.resolve()
    expect(await kept).toBe('made')
  }, 60_000)
