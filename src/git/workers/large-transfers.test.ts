import { afterEach, beforeEach, expect, test } from 'bun:test'
import { turns } from '../../../test/eventually.ts'
import { stopwatch } from '../../../test/stopwatch.ts'
import { LargeTransfers } from './large-transfers.ts'

const MB = 1024 * 1024
const waits = { quietMs: 30, longestMs: 60_000, lookMs: 1 }

/** The time that `LargeTransfers` sees; it still looks every millisecond of the true clock. */
let now = 0
let clock: Disposable
beforeEach(() => {
  now = 0
  clock = stopwatch(() => now)
})
afterEach(() => clock[Symbol.dispose]())

/** What happens in which order. */
function notes(transfers: LargeTransfers) {
  const happened: string[] = []
  const quiet = transfers.quiet().then(() => happened.push('quiet'))
  return { happened, quiet }
}

test('a small pack keeps nothing waiting', () => {
  const transfers = new LargeTransfers(waits)
  const small = transfers.begin()
  small.move(10 * MB)
  expect(transfers.areNear).toBe(false)
  small.end()
  expect(transfers.areNear).toBe(false)
})

test('what can wait waits until all large packs are through, and a little longer', async () => {
  const transfers = new LargeTransfers(waits)
  const [first, second] = [transfers.begin(), transfers.begin()]
  for (const one of [first, second]) for (let piece = 0; piece < 5; piece++) one.move(4 * MB)
  const { happened, quiet } = notes(transfers)
  first.end()
  now += 2 * waits.quietMs
  await turns(5)
  happened.push('the second ends')
  second.end()
  now += waits.quietMs - 1
  expect(transfers.areNear).toBe(true)
  await turns(5)
  expect(happened).toEqual(['the second ends'])
  now += 1
  await quiet
  expect(happened).toEqual(['the second ends', 'quiet'])
})

test('whoever has waited long for a turn does not wait as long again for a peer that does not read', async () => {
  const transfers = new LargeTransfers(waits)
  transfers.begin().move(17 * MB)
  await transfers.quiet(now - waits.longestMs)
  expect(transfers.areNear).toBe(true)
})

test('after what took long, the next waits a moment', async () => {
  const transfers = new LargeTransfers(waits)
  transfers.rest(30)
  const { happened, quiet } = notes(transfers)
  now += 29
  await turns(5)
  expect(happened).toEqual([])
  now += 1
  await quiet
})

test.each<[string, Partial<typeof waits>, (transfers: LargeTransfers) => unknown]>([
  ['a while, however much moves', { longestMs: 5 }, () => (now += 5)],
  ['the server, when that stops', {}, (transfers) => transfers.stop()],
])('it waits no longer than %s', async (_, changed, act) => {
  const transfers = new LargeTransfers({ ...waits, ...changed })
  transfers.begin().move(17 * MB)
  transfers.rest(60_000)
  const { quiet } = notes(transfers)
  act(transfers)
  await quiet
})
