import { expect, test } from 'bun:test'
import { Asker, currentAsker, onBehalfOf } from './askers.ts'

test('work has lost its askers once all of them have left, whoever came first', () => {
  const [first, second] = [new AbortController(), new AbortController()]
  const asker = new Asker(first)
  asker.join(new Asker(second))
  first.abort()
  expect(asker.signal.aborted).toBe(false)
  second.abort()
  expect(asker.signal.reason.status).toBe(499)
})

test('it has not while one is there who stays', () => {
  const first = new AbortController()
  const asker = new Asker(first)
  asker.join(undefined)
  first.abort()
  expect(asker.signal.aborted).toBe(false)
})

test('whoever had left before counts as gone', () => {
  expect(new Asker({ signal: AbortSignal.abort() }).signal.aborted).toBe(true)
})

test('what follows from work is done for the same asker, and nothing else is', async () => {
  const asker = new Asker()
  const later = onBehalfOf(asker, async () => {
    await Bun.sleep(1)
    return currentAsker()
  })
  expect(currentAsker()).toBeUndefined()
  expect(await later).toBe(asker)
})
