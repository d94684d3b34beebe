import { expect, test } from 'bun:test'
import { turns } from '../../test/eventually.ts'
import { Asker, currentAsker, inAnyCase, onBehalfOf } from './askers.ts'
import { silentLog } from './log.ts'
import { Tasks } from './tasks.ts'

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
    await turns()
    return currentAsker()
  })
  expect(currentAsker()).toBeUndefined()
  expect(await later).toBe(asker)
})

test('what is done in any case, and in the background, is nobody’s', async () => {
  const tasks = new Tasks(silentLog)
  const found: unknown[] = []
  const note = async () => {
    await turns()
    found.push(currentAsker())
  }
  await onBehalfOf(new Asker(), () => Promise.all([inAnyCase(note), tasks.start('note', note)]))
  expect(found).toEqual([undefined, undefined])
})
