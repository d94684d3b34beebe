import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testForge } from '../../../test/harness.ts'
import { discard, discardAgain } from './index.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())

test('what cannot be removed fails nobody, and is removed later', async () => {
  const { context } = forge
  const parent = join(context.config.dataPath, 'objects')
  const path = join(parent, 'tmp_incoming-1')
  // A file where a directory is to be makes removing fail.
  writeFileSync(parent, '')
  await discard(context, path)
  rmSync(parent)
  mkdirSync(path, { recursive: true })
  await discardAgain(context)
  expect(existsSync(path)).toBe(false)
  mkdirSync(path)
  await discardAgain(context)
  expect(existsSync(path)).toBe(true)
})
