import { expect, test } from 'bun:test'
import { FifoMutex } from './fifo-mutex.ts'

test('the lock is granted to one at a time, in order; who gives up or dies keeps it from nobody', () => {
  const granted: string[] = []
  const mutex = new FifoMutex<string>((holder) => granted.push(holder))
  for (const holder of ['a', 'b', 'c', 'd']) mutex.acquire(holder)
  expect(granted).toEqual(['a'])
  mutex.release('b')
  mutex.release('nobody')
  expect(granted).toEqual(['a'])
  mutex.release('a')
  expect(granted).toEqual(['a', 'c'])
  mutex.release('a')
  mutex.release('c')
  mutex.release('d')
  mutex.acquire('e')
  expect(granted).toEqual(['a', 'c', 'd', 'e'])
})
