import { expect, test } from 'bun:test'
import { Turns } from './turns.ts'

test('work on one thing waits for what was asked before, work on others does not', async () => {
  const turns = new Turns<string>()
  const done: string[] = []
  const step = (name: string, milliseconds: number) => async () => {
    await Bun.sleep(milliseconds)
    done.push(name)
    if (name === 'fails') throw new Error('it does')
    return name
  }
  const failing = turns.take('a', step('fails', 20))
  const rest = [turns.take('a', step('second', 0)), turns.take('b', step('other', 0)), turns.take('a', step('third', 0))]
  await expect(failing).rejects.toThrow('it does')
  expect(await Promise.all(rest)).toEqual(['second', 'other', 'third'])
  expect(done).toEqual(['other', 'fails', 'second', 'third'])
})
