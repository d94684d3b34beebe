import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, promises, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outcome } from '../../../test/outcome.ts'
import { removeTree } from './remove-tree.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function newTree(name: string): { path: string; parts: string[] } {
  const path = join(directory, name)
  const parts = Array.from({ length: 40 }, (_, i) => join(path, 'objects', String(i)))
  for (const part of parts) {
    mkdirSync(part, { recursive: true })
    for (let i = 0; i < 5; i++) writeFileSync(join(part, String(i)), '')
  }
  return { path, parts }
}

test('a directory is gone afterwards, whoever else removes things in it meanwhile', async () => {
  for (let i = 0; i < 5; i++) {
    const { path, parts } = newTree(`shared-${i}`)
    const others = parts.map((part) => promises.rm(part, { recursive: true, force: true }))
    await removeTree(path)
    expect(existsSync(path)).toBe(false)
    await Promise.allSettled(others)
  }
})

test('two at once remove it once', async () => {
  const { path } = newTree('twice')
  await Promise.all([removeTree(path), removeTree(path)])
  expect(existsSync(path)).toBe(false)
})

test('what is not there is no error, and what cannot be removed is', async () => {
  await removeTree(join(directory, 'absent'))
  writeFileSync(join(directory, 'file'), '')
  expect(await outcome(removeTree(join(directory, 'file', 'below')))).toThrow('ENOTDIR')
})
