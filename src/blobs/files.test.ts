import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome } from '../../test/outcome.ts'
import { blobDirectory, blobPath, landBlob } from './files.ts'

function directory() {
  const path = mkdtempSync(join(tmpdir(), 'pf-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000)
}

/** As a disk does it that is nearly full: of what is written each time it takes a part, and in the end nothing. */
async function nearlyFull(path: string, room: number) {
  const file = await open(path, 'r')
  const handle = Object.getPrototypeOf(file) as FileHandle
  await file.close()
  const write = handle.write as (bytes: Uint8Array, offset: number, count: number) => ReturnType<FileHandle['write']>
  let left = room
  return spyOn(handle, 'write').mockImplementation(function (this: FileHandle, bytes: Uint8Array, offset = 0) {
    if (left === 0) return Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
    const count = Math.min(left, 300, bytes.length - offset)
    left -= count
    return write.call(this, bytes, offset, count)
  } as never)
}

const bytes = Uint8Array.from({ length: 5500 }, (_, i) => i)

test('a file that the system takes in parts has all of them', async () => {
  using data = directory()
  using _disk = await nearlyFull('/dev/null', bytes.length)
  const landed = await landBlob(data.path, inPieces(bytes), 10_000)
  landed.keep()
  expect(readFileSync(blobPath(data.path, landed.digest)).equals(bytes)).toBe(true)
})

test('one of which the last bytes find no room is refused, and leaves nothing', async () => {
  using data = directory()
  using _disk = await nearlyFull('/dev/null', bytes.length - 1)
  expect(await outcome(landBlob(data.path, inPieces(bytes), 10_000))).toThrow('ENOSPC')
  expect(readdirSync(blobDirectory(data.path))).toEqual([])
})
