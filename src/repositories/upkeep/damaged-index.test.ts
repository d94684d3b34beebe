import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Oid } from '#git/objects/oid.ts'
import { lineLog } from '#kernel/log.ts'
import { eventually } from '../../../test/eventually.ts'
import { tryGit } from '../../../test/harness.ts'
import { lookAfter } from './index.ts'
import { damage, pushedThrice, scratch } from './pushed-thrice.fixture.ts'
import { startUpkeep } from './upkeep.ts'

test('an index that is damaged is made anew once something of its pack is asked for', async () => {
  const lines: string[] = []
  await using place = await pushedThrice({}, { log: lineLog('warn', (line) => lines.push(line)) })
  await lookAfter(place.context, place.repo, true)
  startUpkeep(place.context)
  damage(place, 'idx', 1100)
  place.context.git.storeOf(place.repo.id).close()
  const read = async () => (await place.forge.get('/repos/ada/engine/contents/file')).status
  expect(await read()).toBe(500)
  await eventually(() => lines.some((line) => line.includes('rebuilt a damaged pack index')))
  expect(await read()).toBe(200)
  expect(await tryGit(['fsck', '--full', '--strict'], { cwd: place.bare })).toMatchObject({ exitCode: 0 })
  expect(readdirSync(join(place.bare, 'objects/pack')).filter((name) => name.includes('tmp'))).toEqual([])
})

test('an index that is damaged while it is in use is made anew for whoever has it open', async () => {
  const lines: string[] = []
  await using place = await pushedThrice({}, { log: lineLog('warn', (line) => lines.push(line)) })
  await lookAfter(place.context, place.repo, true)
  const read = async (commit?: Oid) => (await place.forge.get(`/repos/ada/engine/contents/file?ref=${commit}`)).status
  const clone = async (name: string) => (await tryGit(['clone', '-q', '--bare', '--depth=1', place.url, join(scratch, name)])).exitCode
  const [first, second] = place.commits
  expect(await read(first)).toBe(200)
  startUpkeep(place.context)
  // The index is made anew only when both have met the damage.
  const met = Promise.withResolvers<void>()
  const run = place.context.git.run.bind(place.context.git)
  place.context.git.run = ((...call: Parameters<typeof run>) => (call[0] === 'sumPacks' ? met.promise.then(() => run(...call)) : run(...call))) as typeof run
  const objects = readFileSync(join(place.bare, 'objects/pack', (place.packs()[0] as string).replace(/pack$/, 'idx'))).readUInt32BE(8 + 255 * 4)
  for (let object = 0; object < objects; object++) damage(place, 'idx', 1032 + 24 * objects + 4 * object + 3)
  expect([await read(second), await clone('damaged')]).toEqual([500, 128])
  met.resolve()
  await eventually(() => lines.some((line) => line.includes('rebuilt a damaged pack index')))
  expect([await read(second), await clone('mended')]).toEqual([200, 0])
})
