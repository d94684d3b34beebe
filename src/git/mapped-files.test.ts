import { afterAll, expect, jest, test } from 'bun:test'
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mapFile, releaseMapsSoon } from './mapped-files.ts'

const BYTES = 2 * 1024 * 1024
const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function write(name: string, value: number): string {
  const path = join(directory, name)
  writeFileSync(path, new Uint8Array(BYTES).fill(value))
  return path
}

const sumOf = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum + byte, 0)

/** How much of a file counts for this process, by map. */
function residentKilobytes(path: string): number[] {
  const maps = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  return maps.filter((text) => text.split('\n')[0]?.endsWith(` ${path}`)).map((text) => Number(/^Rss:\s+(\d+)/m.exec(text)?.[1]))
}

test.skipIf(process.platform !== 'linux')('what was read of a map does not stay in memory, and can be read again', () => {
  const bytes = mapFile(write('large', 1))
  expect(sumOf(bytes)).toBe(BYTES)
  expect(residentKilobytes(join(directory, 'large'))).toEqual([BYTES / 1024])
  jest.useFakeTimers()
  releaseMapsSoon()
  jest.advanceTimersByTime(999)
  expect(residentKilobytes(join(directory, 'large'))).toEqual([BYTES / 1024])
  jest.advanceTimersByTime(1)
  jest.useRealTimers()
  expect(residentKilobytes(join(directory, 'large'))).toEqual([0])
  expect(sumOf(bytes)).toBe(BYTES)
})

test('a file is mapped once, and one that takes its place is another', () => {
  const path = write('replaced', 1)
  const bytes = mapFile(path)
  expect(mapFile(path)).toBe(bytes)
  renameSync(write('new', 2), path)
  expect(mapFile(path)[0]).toBe(2)
  expect(bytes[0]).toBe(1)
})
