import { expect, test } from 'bun:test'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { Services } from '#kernel/services.ts'
import { stopwatch } from '../../../test/stopwatch.ts'
import { changesOf } from './changes.ts'

test('changes that there was no time to look at are looked at again, and those that are too many are not', async () => {
  let [now, asked] = [0, 0]
  using _clock = stopwatch(() => now)
  let digest = { tree: 'tree', key: '', isWhole: false }
  const run = async (task: string) => {
    if (task === 'mergeBase') return 'base'
    asked++
    now += 60_000
    return digest
  }
  const context: Context = { config: { api: {} }, git: { run }, services: new Services(() => context) } as unknown as Context
  const ask = async () => {
    now += 3_600_000
    return (await changesOf(context, 1, 'base' as Oid, 'head' as Oid)).diff_key
  }
  expect(await ask()).toBe('')
  digest = { tree: 'tree', key: 'found', isWhole: true }
  expect([await ask(), await ask(), asked]).toEqual(['found', 'found', 2])
})
