import { expect, test } from 'bun:test'
import type { Oid } from '#git/objects/oid.ts'
import type { BlameReport } from '#git/workers/diff-tasks.ts'
import { renderRows } from './blame.tsx'

test('a file each line of which is of another commit than the one before does not have others wait for the last of them', async () => {
  const lines = 50_000
  const [one, other] = ['1'.repeat(40), '2'.repeat(40)] as [Oid, Oid]
  const commit = { author: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, subject: 'Change' }
  const groups = Array.from({ length: lines }, (_, i) => ({
    commit: i % 2 ? one : other,
    line: i + 1,
    originLine: i + 1,
    count: 1,
    previous: { commit: one, path: 'f' },
  }))
  const report = {
    groups,
    commits: new Map([
      [one, commit],
      [other, commit],
    ]),
  } as BlameReport
  const ended: string[] = []
  const visit = { to: () => '/ada/engine' } as never
  const repo = { owner: { name: 'ada' }, row: { name: 'engine' } } as never
  const rows = renderRows(visit, repo, { account: () => undefined } as never, report, Array<string>(lines).fill('x')).then(({ text }) => {
    ended.push('rows')
    return text
  })
  await new Promise(setImmediate).then(() => ended.push('another'))
  expect((await rows).match(/<tr /g)?.length).toBe(lines)
  expect(ended).toEqual(['another', 'rows'])
})
