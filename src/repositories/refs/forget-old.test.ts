import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { forgetOld } from './forget-old.ts'

const DAY = 86_400

test('events and reflogs are kept as long as the settings say, and events until everybody has read them', async () => {
  let now = 1_700_000_000
  await using forge = testForge({ events: { KEEP_DAYS: 10 }, 'git.reflog': { EXPIRATION: 20 } }, { clock: { seconds: () => now, millis: () => now * 1000 } })
  const { context } = forge
  const ada = await forge.person('ada')
  const count = (table: string) => context.db.find<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n
  for (const name of ['one', 'two']) await forge.asUser(ada).post('/user/repos', { name, auto_init: true })
  const before = { events: count('event'), reflog: count('reflog') }
  expect(before).toEqual({ events: 2, reflog: 2 })

  let place = 0
  context.events.addReader(() => place)
  now += 15 * DAY
  await forgetOld(context)
  expect([count('event'), count('reflog')]).toEqual([2, 2])
  place = 1
  await forgetOld(context)
  expect([count('event'), count('reflog')]).toEqual([1, 2])
  place = 2
  now += 10 * DAY
  await forgetOld(context)
  expect([count('event'), count('reflog')]).toEqual([0, 0])
})
