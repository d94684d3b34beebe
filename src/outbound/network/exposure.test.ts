import { expect, test } from 'bun:test'
import { makeConfig } from '#config.ts'
import { isReachedFromElsewhere } from './exposure.ts'

test.each<[address: string, root: string, isReached: boolean]>([
  ['127.0.0.1', '', false],
  ['127.8.8.8', '', false],
  ['::1', '', false],
  ['localhost', '', false],
  ['127.0.0.1', 'http://localhost:3000/', false],
  ['127.0.0.1', 'http://[::1]:3000', false],
  ['0.0.0.0', '', true],
  ['::', '', true],
  ['192.168.1.7', '', true],
  ['localhost.example.org', '', true],
  ['0.0.0.0', 'http://localhost:3000/', true],
  ['127.0.0.1', 'https://git.example.org/', true],
])('listening on %j as %j, others reach the server: %j', (HTTP_ADDR, ROOT_URL, isReached) => {
  expect(isReachedFromElsewhere(makeConfig('/data', { server: { HTTP_ADDR, ROOT_URL } }).server)).toBe(isReached)
})
