import { expect, test } from 'bun:test'
import { GitError } from '#git/errors.ts'
import { testForge } from '../../test/harness.ts'
import { unlessLost } from './unless-lost.ts'

test('what a store has lost is told in the log, and of a deleted repository nothing was lost', async () => {
  const told: unknown[] = []
  const log = { error: (...words: unknown[]) => told.push(words) }
  await using forge = testForge({}, { log: log as never })
  await forge.person('ada')
  const { id } = (await forge.asUser('ada').post<{ id: number }>('/user/repos', { name: 'engine' })).body
  const read = () => unlessLost(forge.context, id, () => Promise.reject(new GitError('missing', 'Cannot find object')), 'instead')
  expect([await read(), told.length]).toEqual(['instead', 1])
  await forge.asUser('ada').delete('/repos/ada/engine')
  expect([await read(), told.length]).toEqual(['instead', 1])
})
