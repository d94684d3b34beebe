import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { git, tryGit } from '../../../test/harness.ts'
import { lookAfter } from './index.ts'
import { pushedThrice, scratch } from './pushed-thrice.fixture.ts'

/** Limits and rules are those of a push: what is stored was within them when it came. */

test.each([
  ['objects', { MAX_PACK_OBJECTS: 3 }],
  ['inflated bytes', { MAX_INFLATED_SIZE: 50_000 }],
])('what many pushes brought is joined and forked, though it is more %s than one push may bring', async (what, settings) => {
  await using place = await pushedThrice(`limits-${what}`, { ...settings, MAX_PACKS: 2 })
  expect(await lookAfter(place.context, place.repo)).toMatchObject({ joined: 'small' })
  for (const text of ['w', 'x', 'y', 'z']) await place.push(text.repeat(15_000))
  await place.push('another seven', '--amend')
  expect(await lookAfter(place.context, place.repo, true)).toMatchObject({ joined: 'all' })
  const bob = await place.forge.person('bob')
  expect((await place.forge.call('POST /repos/ada/engine/forks', { as: bob, body: {} })).status).toBe(202)
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
})

test('what was taken in by rules of its time is joined and forked, though a push of it would be refused now', async () => {
  await using place = await pushedThrice('old-rules', { FSCK_IGNORE: 'zeroPaddedFilemode' })
  const work = join(scratch, 'old-rules')
  const blob = await git(['rev-parse', 'HEAD:file'], { cwd: work })
  const padded = Buffer.concat([Buffer.from('0100644 padded\0'), Buffer.from(blob, 'hex')])
  const tree = await git(['hash-object', '-t', 'tree', '--literally', '-w', '--stdin'], { cwd: work, input: padded })
  const commit = await git(['commit-tree', '-m', 'old', tree], { cwd: work })
  await git(['push', '-q', place.url, `${commit}:refs/heads/old`], { cwd: work })
  Object.assign(place.context.git.limits, { ignoredFaults: [] })
  place.context.git.pool.forget(place.bare)
  await place.push('another three', '--amend')
  expect(await lookAfter(place.context, place.repo, true)).toMatchObject({ joined: 'all' })
  const bob = await place.forge.person('bob')
  expect((await place.forge.call('POST /repos/ada/engine/forks', { as: bob, body: {} })).status).toBe(202)
  expect((await tryGit(['push', '-q', place.url.replace('engine', 'other'), `${commit}:refs/heads/old`], { cwd: work })).exitCode).not.toBe(0)
})

test('what is larger than an object may be now is joined and forked, and nothing is wrong with its packs', async () => {
  await using place = await pushedThrice('large')
  const { git: service } = place.context
  for (let i = 0; i < 3; i++) await place.push(randomBytes(30_000))
  await place.push('small again', '--amend')
  Object.assign(service.limits, { maxObjectBytes: 10_000 })
  service.pool.forget(place.bare)
  expect(await lookAfter(place.context, place.repo, true)).toMatchObject({ joined: 'all' })
  expect((await service.run('checkPacks', place.repo.id, {})).faults).toEqual([])
  const bob = await place.forge.person('bob')
  expect((await place.forge.call('POST /repos/ada/engine/forks', { as: bob, body: {} })).status).toBe(202)
})
