import { expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { KeyedMutex } from './keyed-mutex.ts'

test('work on one thing waits for what was asked before, work on others does not', async () => {
  const mutex = new KeyedMutex<string>()
  const done: string[] = []
  const step = (name: string, before?: Promise<unknown>) => async () => {
    await before
    done.push(name)
    if (name === 'fails') throw new Error('it does')
    return name
  }
  const { promise: other, resolve: otherIsDone } = Promise.withResolvers<unknown>()
  const failing = mutex.run('a', step('fails', other))
  const rest = [mutex.run('a', step('second')), mutex.run('b', step('other')), mutex.run('a', step('third'))]
  void rest[1]?.then(otherIsDone)
  expect(await outcome(failing)).toThrow('it does')
  expect(await Promise.all(rest)).toEqual(['second', 'other', 'third'])
  expect(done).toEqual(['other', 'fails', 'second', 'third'])
})
