import { expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { KeyedMutex } from './keyed-mutex.ts'

test('work on one thing waits for what was asked before, work on others does not', async () => {
  const mutex = new KeyedMutex<string>()
  const done: string[] = []
  const step = (name: string, milliseconds: number) => async () => {
    await Bun.sleep(milliseconds)
    done.push(name)
    if (name === 'fails') throw new Error('it does')
    return name
  }
  const failing = mutex.run('a', step('fails', 20))
  const rest = [mutex.run('a', step('second', 0)), mutex.run('b', step('other', 0)), mutex.run('a', step('third', 0))]
  expect(await outcome(failing)).toThrow('it does')
  expect(await Promise.all(rest)).toEqual(['second', 'other', 'third'])
  expect(done).toEqual(['other', 'fails', 'second', 'third'])
})
