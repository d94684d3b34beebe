import { afterAll, expect, test } from 'bun:test'
import type { StreamCall } from '#git/workers/pool.ts'
import { testForge } from '../../../test/harness.ts'
import { respondAsMade } from './respond-as-made.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())

/** What a client reads of an answer of which a worker sends some, and then fails. */
async function read(sent: readonly string[], error: Error): Promise<{ body: Promise<string>; ended: Promise<unknown> }> {
  const ended = Promise.withResolvers<unknown>()
  const outgoing = (async function* () {
    for (const text of sent) yield Buffer.from(text)
    throw error
  })()
  const call: StreamCall<unknown> = { write: async () => {}, end() {}, abort() {}, outgoing, result: new Promise(() => {}) }
  const body = await respondAsMade(forge.context, () => call, { end: ended.resolve })
  const text = new Response(body).text().catch(() => 'cut off')
  return { body: text, ended: ended.promise }
}

test('what the disk kept a worker from beginning is told to git in words, and to who logs it', async () => {
  const refused = Object.assign(new Error('too many open files'), { code: 'EMFILE', syscall: 'open' })
  const { body, ended } = await read([], refused)
  expect(await body).toMatch(/^[0-9a-f]{4}ERR The server has too many open files: .*\n$/)
  expect(await ended).toBe(refused)
})

test('what has begun, or fails for another reason, is cut off', async () => {
  const refused = Object.assign(new Error('i/o error'), { code: 'EIO', syscall: 'read' })
  expect(await (await read(['0008NAK\n'], refused)).body).toBe('cut off')
  expect(await (await read([], new Error('a mistake'))).body).toBe('cut off')
})
