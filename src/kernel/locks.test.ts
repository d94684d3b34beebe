import { expect, test } from 'bun:test'
import { Locks } from './locks.ts'

/** Lets everything that can run, run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('several share a lock; who wants it alone is refused, and keeps nobody out by asking', async () => {
  const locks = new Locks()
  const first = await locks.share(1)
  expect(locks.tryExclude(1)).toBeUndefined()
  const second = await locks.share(1)
  first()
  expect(locks.tryExclude(1)).toBeUndefined()
  second()
  expect(locks.tryExclude(1)).toBeFunction()
})

test('whoever comes while one holds it alone waits until that one leaves', async () => {
  const locks = new Locks()
  const leave = locks.tryExclude(1)
  expect(locks.tryExclude(1)).toBeUndefined()
  let entered = 0
  const late = [locks.share(1), locks.share(1)]
  for (const one of late) void one.then(() => entered++)
  await settle()
  expect(entered).toBe(0)
  leave?.()
  await Promise.all(late)
  expect(entered).toBe(2)
  expect(locks.tryExclude(1)).toBeUndefined()
})

test('locks of different keys do not meet', async () => {
  const locks = new Locks()
  expect(locks.tryExclude(1)).toBeFunction()
  const entered = await Promise.race([locks.share(2), settle()])
  expect(entered).toBeFunction()
  expect([locks.tryExclude(2), locks.tryExclude(1)]).toEqual([undefined, undefined])
  expect(locks.tryExclude(3)).toBeFunction()
})

test('leaving twice counts once', async () => {
  const locks = new Locks()
  const leave = await locks.share(1)
  const other = await locks.share(1)
  leave()
  leave()
  expect(locks.tryExclude(1)).toBeUndefined()
  other()
  expect(locks.tryExclude(1)).toBeFunction()
})
