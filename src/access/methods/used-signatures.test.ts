import { expect, test } from 'bun:test'
import { UsedSignatures } from './used-signatures.ts'

/** Signatures used now live for half a minute. */
function usedSignatures() {
  let now = 1_800_000_000
  const used = new UsedSignatures({ seconds: () => now, millis: () => now * 1000 })
  return {
    use: (key: string, text: string) => used.use(key, text, now + 30),
    pass: (seconds: number) => {
      now += seconds
    },
  }
}

test('a text counts once for a key, and again when it would be over anyway', () => {
  const { use, pass } = usedSignatures()
  use('a', 'text')
  use('b', 'text')
  expect(() => use('a', 'text')).toThrow('already used')
  pass(30)
  expect(() => use('a', 'text')).toThrow('already used')
  pass(1)
  use('a', 'text')
})

test('whoever signs without end has to wait, and keeps nobody else waiting', () => {
  const { use, pass } = usedSignatures()
  for (let i = 0; i < 20_000; i++) use('a', `text ${i}`)
  expect(() => use('a', 'one more')).toThrow('Too many signed requests')
  expect(() => use('a', 'text 0')).toThrow('already used')
  use('b', 'text 0')
  pass(31)
  use('a', 'one more')
})
