import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockInstance, tryLockInstance } from './instance-lock.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const holder = `
  import { lockInstance } from ${JSON.stringify(join(import.meta.dir, 'instance-lock.ts'))}
  using lock = lockInstance(${JSON.stringify(directory)})
  console.log('held')
  await new Promise(() => setInterval(() => lock, 1000))
`

test('a lock is refused while another process holds it, and free once that was killed', async () => {
  const child = Bun.spawn([process.execPath, '-e', holder], { stdout: 'pipe', stderr: 'inherit' })
  const { value } = await child.stdout.getReader().read()
  expect(Buffer.from(value as Uint8Array).toString()).toBe('held\n')
  expect(() => lockInstance(directory)).toThrow('another Pocketforge server uses it')
  child.kill('SIGKILL')
  await child.exited
  lockInstance(directory)[Symbol.dispose]()
})

test('what cannot be opened or locked is said to be that, and not taken for a server', () => {
  const place = mkdtempSync(join(directory, 'place-'))
  const path = join(place, 'instance.lock')
  mkdirSync(path)
  for (const lock of [lockInstance, tryLockInstance]) expect(() => lock(place)).toThrow(`Cannot lock ${path}: unable to open database file`)
  rmdirSync(path)
  writeFileSync(path, 'no database of any kind'.repeat(100))
  for (const lock of [lockInstance, tryLockInstance]) expect(() => lock(place)).toThrow(`Cannot lock ${path}: file is not a database`)
})

test('the lock needs no room on the disk', () => {
  const place = mkdtempSync(join(tmpdir(), 'pf-'))
  using _ = lockInstance(place)
  expect(readdirSync(place).map((name) => [name, statSync(join(place, name)).size])).toEqual([['instance.lock', 0]])
})
