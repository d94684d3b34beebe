import { expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

test.each(['', 'nonsense', '00'])('a key file that holds %j is not taken for a key', (text) => {
  using store = directory()
  writeFileSync(store.key, text)
  expect(() => new SecretBox(store.path).prepare()).toThrow('64 hexadecimal digits')
})
