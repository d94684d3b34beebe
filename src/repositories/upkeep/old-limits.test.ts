import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { SHA1 } from '#git/objects/oid.ts'
import { git } from '../../../test/harness.ts'
import { idOf, makeCommit, makeTree, PackBuilder } from '../../../test/pack-builder.ts'
import { lookAfter } from './index.ts'
import { pushedThrice } from './pushed-thrice.fixture.ts'

/** Limits and rules are those of a push: what is stored was within them when it came. */

test.each([
  ['objects', { MAX_PACK_OBJECTS: 3 }],
  ['inflated bytes', { MAX_INFLATED_SIZE: 50_000 }],
])('what many pushes brought is joined and forked, though it is more %s than one push may bring', async (_, settings) => {
  await using place = await pushedThrice({ ...settings, MAX_PACKS: 2 })
  expect(await lookAfter(place.context, place.repo)).toMatchObject({ joined: 'small' })
  for (const text of ['w', 'x', 'y', 'z']) await place.push(text.repeat(15_000))
  await place.push('another seven', '--amend')
  expect(await lookAfter(place.context, place.repo, true)).toMatchObject({ joined: 'all' })
  const bob = await place.forge.person('bob')
  expect((await place.forge.asUser(bob).post('/repos/ada/engine/forks', {})).status).toBe(202)
  await git(['fsck', '--full', '--strict'], { cwd: place.bare })
})

test('what was taken in by rules of its time is joined and forked, though a push of it would be refused now', async () => {
  await using place = await pushedThrice({ FSCK_IGNORE: 'zeroPaddedFilemode' })
  const padded = makeTree([['0100644', 'padded', idOf('blob', 'of old')]])
  const commit = makeCommit(idOf('tree', padded))
  const builder = new PackBuilder()
  builder.add('blob', 'of old')
  builder.add('tree', padded)
  builder.add('commit', commit)
  const create = `${SHA1.zero} ${idOf('commit', commit)} refs/heads/old`
  expect(await place.pushPack(create, builder)).toContain('ok refs/heads/old')
  Object.assign(place.context.git.limits, { ignoredFaults: [] })
  place.context.git.pool.forget(place.bare)
  await place.push('another three', '--amend')
  expect(await lookAfter(place.context, place.repo, true)).toMatchObject({ joined: 'all' })
  const bob = await place.forge.person('bob')
  expect((await place.forge.asUser(bob).post('/repos/ada/engine/forks', {})).status).toBe(202)
  expect(await place.pushPack(create, builder, 'ada/other')).toContain('ng refs/heads/old')
})

test('what is larger than an object may be now is joined and forked, and nothing is wrong with its packs', async () => {
  await using place = await pushedThrice()
  const { git: service } = place.context
  for (let i = 0; i < 3; i++) await place.push(randomBytes(30_000))
  await place.push('small again', '--amend')
  Object.assign(service.limits, { maxObjectBytes: 10_000 })
  service.pool.forget(place.bare)
  expect(await lookAfter(place.context, place.repo, true)).toMatchObject({ joined: 'all' })
  expect((await service.run('checkPacks', place.repo.id, {})).faults).toEqual([])
  const bob = await place.forge.person('bob')
  expect((await place.forge.asUser(bob).post('/repos/ada/engine/forks', {})).status).toBe(202)
})
