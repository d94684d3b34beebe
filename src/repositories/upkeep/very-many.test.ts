import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { stopwatch } from '../../../test/stopwatch.ts'
import { visitAll } from './upkeep.ts'

test('others have their turn while very many repositories are visited, of which none is there to be looked after', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const { id: owner_id } = (await forge.person('ada')).row
  db.tx((tx) => {
    for (let n = 0; n < 20; n++) tx.insert('repository', { owner_id, name: `r${n}`, lower_name: `r${n}`, default_branch: 'main', created_at: 1, updated_at: 1 })
  })
  // The first visit finds that their directories are gone, and none is due by the next.
  forge.context.log.error = () => {}
  await visitAll(forge.context)
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  // As if each of them took long.
  let now = Bun.nanoseconds() / 1e6
  using _clock = stopwatch(() => (now += 10))
  await visitAll(forge.context)
  isOver = true
  expect(turns).toBeGreaterThan(0)
})
