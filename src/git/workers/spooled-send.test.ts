import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejection } from '../../../test/outcome.ts'
import { spooledSend } from './spooled-send.ts'

const large = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251))

/** Sends `bytes` by a file in a directory of its own; @returns the pieces that were taken, and what stood in the directory at the first. */
async function sent(bytes: Uint8Array, prepare: (path: string) => void = () => {}) {
  const directory = mkdtempSync(join(tmpdir(), 'pf-spool-'))
  try {
    const path = join(directory, 'passing')
    prepare(path)
    const pieces: Buffer[] = []
    let names: string[] | undefined
    await spooledSend(path, async (piece) => {
      names ??= readdirSync(directory)
      pieces.push(Buffer.from(piece))
    })(bytes)
    return { pieces, names, left: existsSync(path) }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

test('what is large is sent piece by piece, from a file that nobody has to remove', async () => {
  const { pieces, names, left } = await sent(large)
  expect(Buffer.concat(pieces).equals(large)).toBe(true)
  expect(pieces.length).toBe(Math.ceil(large.length / (128 * 1024)))
  expect([left, process.platform === 'win32' || names?.length === 0]).toEqual([false, true])
})

test('what is small is sent as it is, and what is large where no file can be written', async () => {
  expect((await sent(large.subarray(0, 1000))).pieces).toHaveLength(1)
  const { pieces } = await sent(large, (path) => mkdirSync(join(path, 'in the way'), { recursive: true }))
  expect(pieces.map((piece) => piece.length)).toEqual([large.length])
})

test('a reader who leaves leaves no file', async () => {
  const gone = new Error('gone')
  const send = spooledSend(join(tmpdir(), `pf-left-${crypto.randomUUID()}`), () => Promise.reject(gone))
  expect(await rejection(send(large))).toBe(gone)
})
