import { expect, test } from 'bun:test'
import { Locks } from './locks.ts'

/** Lets everything that can run, run. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('several share a lock; an exclusive holder waits for them, and newcomers wait for it', async () => {
  const locks = new Locks()
  const seen: string[] = []
  const first = await locks.share(1)
  const second = await locks.share(1)
  const alone = locks.exclude(1).then((leave) => {
    seen.push('alone')
    return leave
  })
  const late = locks.share(1).then((leave) => {
    seen.push('late')
    return leave
  })
  first()
  await settle()
  expect(seen).toEqual([])
  second()
  const leaveAlone = await alone
  await settle()
  expect(seen).toEqual(['alone'])
  leaveAlone()
  ;(await late)()
  expect(seen).toEqual(['alone', 'late'])
})

test('locks of different keys do not meet', async () => {
  const locks = new Locks()
  const leave = await locks.exclude(1)
  ;(await locks.share(2))()
  leave()
})

test('leaving twice counts once', async () => {
  const locks = new Locks()
  const leave = await locks.share(1)
  const other = await locks.share(1)
  leave()
  leave()
  let alone = false
  void locks.exclude(1).then(() => {
    alone = true
  })
  await settle()
  expect(alone).toBe(false)
  other()
  await settle()
  expect(alone).toBe(true)
})
