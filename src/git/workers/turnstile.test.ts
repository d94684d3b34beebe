import { expect, test } from 'bun:test'
import { Turnstile } from './turnstile.ts'

test('one is in at a time, in order; who gives up or dies keeps nobody out', () => {
  const admitted: string[] = []
  const turnstile = new Turnstile<string>((holder) => admitted.push(holder))
  for (const holder of ['a', 'b', 'c', 'd']) turnstile.enter(holder)
  expect(admitted).toEqual(['a'])
  turnstile.leave('b')
  turnstile.leave('nobody')
  expect(admitted).toEqual(['a'])
  turnstile.leave('a')
  expect(admitted).toEqual(['a', 'c'])
  turnstile.leave('a')
  turnstile.leave('c')
  turnstile.leave('d')
  turnstile.enter('e')
  expect(admitted).toEqual(['a', 'c', 'd', 'e'])
})
