import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { collectGarbage } from '../../../test/no-collections.ts'
import type { Oid } from '../objects/oid.ts'
import { CommitSource } from './commit-source.ts'
import { HandHistory } from './hand-history.fixture.ts'
import { reachable } from './walk.ts'

test('commits that no graph has are held in columns, with no object for each', () => {
  const history = new HandHistory()
  const oids: Oid[] = []
  for (let i = 0; i < 5000; i++) oids.push(history.commit({ parents: oids.slice(-2) }))
  const before = objectsAlive()
  const source = new CommitSource(history.store)
  const ids = Uint32Array.from(reachable(source, oids.slice(-1)))
  expect(objectsAlive() - before).toBeLessThan(500)
  expect(new Set(Array.from(ids, (id) => source.oid(id)))).toEqual(new Set(oids))
  const last = source.idOf(oids[4999] as Oid)
  expect(source.parents(last).map((id) => source.oid(id))).toEqual(oids.slice(-3, -1))
  expect([source.tree(last), source.date(last)]).toEqual([history.tree({}), 1_005_000])
})

function objectsAlive(): number {
  collectGarbage(true)
  return heapStats().objectCount
}
