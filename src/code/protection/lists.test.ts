import { expect, spyOn, test } from 'bun:test'
import { isListed as isListedForTags } from '#code/tag-protection/store.ts'
import { testForge } from '../../../test/harness.ts'
import { isListed } from './store.ts'

test('who is in very many teams is looked for in those that a protection lists, not in all of theirs', async () => {
  await using forge = testForge()
  const { db } = forge.context
  const asks = [spyOn(db, 'lookUp'), spyOn(db, 'find')]
  isListed(db, 1, 'push', 1)
  isListedForTags(db, 1, 1)
  const asked = new Map(asks.flatMap(({ mock }) => mock.calls).map(([sql, ...values]) => [sql, values]))
  const plans = [...asked].map(([sql, values]) => db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail))
  expect(plans.map((plan) => plan.filter((detail) => /SEARCH (m|\w+_protection_team) USING/.test(detail)))).toEqual([
    [expect.stringContaining('SEARCH branch_protection_team USING PRIMARY KEY (protection_id=?'), 'SEARCH m USING PRIMARY KEY (team_id=? AND user_id=?)'],
    [expect.stringContaining('SEARCH tag_protection_team USING PRIMARY KEY (protection_id=?'), 'SEARCH m USING PRIMARY KEY (team_id=? AND user_id=?)'],
  ])
})
