import { afterAll, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, promises, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testForge } from '../../../test/harness.ts'
import { discard, discardAgain, sweepUnfinished } from './index.ts'

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

test('what a crash left and the disk does not let go keeps nothing else, and goes later', async () => {
  const { context } = forge
  const gitDir = join(context.config.dataPath, 'left.git')
  const left = ['tmp_incoming-00112233-1', 'tmp_incoming-00112233-2', 'tmp_upkeep-00112233-3'].map((name) => join(gitDir, 'objects', name))
  for (const path of left) mkdirSync(path, { recursive: true })
  {
    using _refusal = spyOn(promises, 'rm').mockRejectedValueOnce(Object.assign(new Error('EIO: i/o error, rm'), { code: 'EIO' }))
    await sweepUnfinished(context, gitDir)
  }
  expect(left.filter(existsSync)).toHaveLength(1)
  await discardAgain(context)
  expect(left.filter(existsSync)).toEqual([])
})
