import { expect, test } from 'bun:test'
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSealed, SecretBox, SecretLost } from './secret-box.ts'

function directory() {
  const path = mkdtempSync(join(tmpdir(), 'pf-'))
  return { path, key: join(path, 'secret.key'), [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('what is sealed is told by whoever has the key, and by nobody else', () => {
  using store = directory()
  const box = new SecretBox(store.path)
  const sealed = ['x y', 'übergeheim 💩', 'y'.repeat(10_000)].map((text) => [text, box.seal(text, 'hook')] as const)
  for (const [text, one] of sealed) {
    expect(isSealed(one)).toBe(true)
    expect(one).not.toContain(text.slice(0, 10))
    expect(new SecretBox(store.path).open(one, 'hook')).toBe(text)
    expect(() => box.open(one, 'runner')).toThrow(SecretLost)
    expect(() => box.open(`${one.slice(0, -3)}AAA`, 'hook')).toThrow(SecretLost)
  }
  expect(box.seal('x', 'hook')).not.toBe(box.seal('x', 'hook'))
  expect(box.open(box.seal('', 'hook'), 'hook')).toBe('')
  expect(statSync(store.key).mode & 0o777).toBe(0o600)
})

test('a key that is lost is missed, and one that is found again still opens what it sealed', () => {
  using store = directory()
  const sealed = new SecretBox(store.path).seal('x', 'hook')
  renameSync(store.key, `${store.key}.lost`)
  const box = new SecretBox(store.path)
  expect(box.holdsKeyOf(sealed)).toBe(false)
  expect(() => box.open(sealed, 'hook')).toThrow(store.key)
  const later = box.seal('y', 'hook')
  appendFileSync(store.key, readFileSync(`${store.key}.lost`))
  const both = new SecretBox(store.path)
  expect([both.open(sealed, 'hook'), both.open(later, 'hook')]).toEqual(['x', 'y'])
})

test.skipIf(process.platform === 'win32')('a process that dies while it writes the key leaves none, and the next one makes it', () => {
  using store = directory()
  const script = `new (require(${JSON.stringify(join(import.meta.dir, 'secret-box.ts'))}).SecretBox)(${JSON.stringify(store.path)}).prepare()`
  // No file may grow: the system ends the process, or refuses the write.
  const { success } = Bun.spawnSync(['sh', '-c', 'ulimit -f 0; exec "$0" -e "$1"', process.execPath, script])
  expect([success, readdirSync(store.path)]).toEqual([false, expect.not.arrayContaining(['secret.key'])])
  const box = new SecretBox(store.path)
  expect(box.open(box.seal('x', 'hook'), 'hook')).toBe('x')
})

test('what a crash left of a key that never got its name goes with the next one', () => {
  using store = directory()
  writeFileSync(`${store.key}.0123456789abcdef.tmp`, 'abc')
  utimesSync(`${store.key}.0123456789abcdef.tmp`, 0, 0)
  new SecretBox(store.path).prepare()
  expect(readdirSync(store.path)).toEqual(['secret.key'])
})

test.skipIf(process.platform === 'win32')('a key that others on the machine can read is theirs no more once it was looked at', () => {
  using store = directory()
  const sealed = new SecretBox(store.path).seal('x', 'hook')
  chmodSync(store.key, 0o644)
  const box = new SecretBox(store.path)
  box.check()
  expect([statSync(store.key).mode & 0o777, box.open(sealed, 'hook')]).toEqual([0o600, 'x'])
})

test('looking for a key makes none', () => {
  using store = directory()
  new SecretBox(store.path).check()
  expect(readdirSync(store.path)).toEqual([])
})

test.each(['', 'nonsense', '00'])('a key file that holds %j is not taken for a key', (text) => {
  using store = directory()
  writeFileSync(store.key, text)
  expect(() => new SecretBox(store.path).check()).toThrow('64 hexadecimal digits')
  expect(() => new SecretBox(store.path).prepare()).toThrow('64 hexadecimal digits')
})
