import { expect, test } from 'bun:test'
import { turns } from '../../test/eventually.ts'
import { outcome } from '../../test/outcome.ts'
import { doneWithin, waitAtMost } from './wait-at-most.ts'

test('work that is done in time is waited for, other work is not, and failures are passed on', async () => {
  let isDone = false
  await waitAtMost(
    turns().then(() => (isDone = true)),
    60_000,
  )
  expect(isDone).toBe(true)
  await waitAtMost(new Promise(() => {}), 5)
  expect(await outcome(waitAtMost(Promise.reject(new Error('broken')), 60_000))).toThrow('broken')
})

test('what comes too late is done without', async () => {
  expect(await doneWithin(Promise.resolve(1), 60_000, 2)).toBe(1)
  expect(await doneWithin(new Promise<number>(() => {}), 5, 2)).toBe(2)
})

test('a process that waited for what was soon done ends at once', async () => {
  const script = `import { waitAtMost } from ${JSON.stringify(`${import.meta.dir}/wait-at-most.ts`)}; await waitAtMost(Promise.resolve(), 60_000)`
  const child = Bun.spawn([process.execPath, '-e', script], { stderr: 'pipe', timeout: 50_000 })
  expect([await child.exited, await child.stderr.text()]).toEqual([0, ''])
}, 70_000)
