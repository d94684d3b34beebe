import { expect, test } from 'bun:test'
import { MadeLately } from './made-lately.ts'
import type { Viewer } from './viewer.ts'

const viewer = (sessionId: number | undefined) => ({ sessionId }) as unknown as Viewer

test('what a browser sends again at once is what it was the first time; later, changed, or from another browser it is made anew', () => {
  let now = 0
  let count = 0
  const made = new MadeLately({ clock: { millis: () => now, seconds: () => 0 } })
  const post = (session: number | undefined, text: string) => made.once(viewer(session), ['comment', 1, text], () => ++count)
  expect([post(1, 'a'), post(1, 'a'), post(1, 'b'), post(2, 'a'), post(1, 'a')]).toEqual([1, 1, 2, 3, 1])
  now = 3000
  expect([post(1, 'a'), post(undefined, 'a'), post(undefined, 'a')]).toEqual([4, 5, 6])
})

test('what takes long to make is not made twice meanwhile', async () => {
  let now = 0
  let count = 0
  const made = new MadeLately({ clock: { millis: () => now, seconds: () => 0 } })
  const { promise, resolve } = Promise.withResolvers<void>()
  const post = () => made.once(viewer(1), ['fork'], () => promise.then(() => ++count))
  const first = post()
  now = 60_000
  const second = post()
  resolve()
  expect(await Promise.all([first, second])).toEqual([1, 1])
  now += 2999
  expect(await post()).toBe(1)
  now++
  expect(await post()).toBe(2)
})

test('who has sent another form in between means what comes again, and so does who made what another has deleted', async () => {
  const made = new MadeLately({ clock: { millis: () => 0, seconds: () => 0 } })
  let count = 0
  let isThere = true
  const post = (session: number) => {
    made.sending(viewer(session), '/repo/create')
    return made.once(
      viewer(session),
      ['repository'],
      () => Promise.resolve(++count),
      () => isThere,
    )
  }
  expect([await post(1), await post(1), await post(2)]).toEqual([1, 1, 2])
  made.sending(viewer(1), '/ada/engine/settings/danger')
  expect([await post(1), await post(1), await post(2)]).toEqual([3, 3, 2])
  isThere = false
  expect([await post(1), await post(2)]).toEqual([4, 5])
})

test('what failed has made nothing', async () => {
  const made = new MadeLately({ clock: { millis: () => 0, seconds: () => 0 } })
  const fail = () => {
    throw new Error('no')
  }
  expect(() => made.once(viewer(1), ['x'], fail)).toThrow('no')
  expect(made.once(viewer(1), ['x'], () => 'made')).toBe('made')
  const later = () => made.once(viewer(1), ['y'], () => Promise.reject(new Error('later')))
  expect((await Promise.allSettled([later(), later()])).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await made.once(viewer(1), ['y'], () => Promise.resolve('made'))).toBe('made')
})

test('of very many only the latest are known', () => {
  const made = new MadeLately({ clock: { millis: () => 0, seconds: () => 0 } })
  let count = 0
  const post = (n: number) => made.once(viewer(1), [n], () => ++count)
  for (let i = 0; i < 1500; i++) post(i)
  expect([post(1499), post(0)]).toEqual([1500, 1501])
})
