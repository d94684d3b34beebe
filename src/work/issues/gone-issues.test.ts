import { expect, test } from 'bun:test'
import { allAnswers, differences } from '../../../test/all-answers.ts'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { noteGone } from '../../../test/next-start.ts'
import { soak } from '../../../test/soak.ts'

test('what still hangs on an issue or a pull request that is gone changes no answer', async () => {
  await using forge = testForge({}, { ...oneStepBatches, clock: { seconds: () => 1_800_000_000, millis: () => 1_800_000_000_000 } })
  const { db, jobs } = forge.context
  const [ada, bob] = [await forge.person('ada'), await forge.person('bob')]
  const make = async (line: string, body: unknown = {}, as = 'ada') => {
    const made = await forge.asUser(as).send<{ id: number; number: number }>(line, { body })
    expect([line, made.status < 300]).toEqual([line, true])
    return made.body
  }
  await make('POST /orgs', { username: 'acme' })
  const { id: team } = await make('POST /orgs/acme/teams', { name: 'crew', permission: 'write', units: ['repo.code', 'repo.issues', 'repo.pulls'] })
  await make('POST /orgs/acme/repos', { name: 'r', auto_init: true })
  for (const what of ['members/bob', 'repos/acme/r']) await make(`PUT /teams/${team}/${what}`)
  const label = await make('POST /repos/acme/r/labels', { name: 'l', color: '#aabbcc' })
  const milestone = await make('POST /repos/acme/r/milestones', { title: 'm' })
  for (const n of ['a', 'b']) await make(`POST /repos/acme/r/contents/${n}`, { content: 'YQ==', message: 'x', new_branch: n, branch: 'main' })
  const kept = [await make('POST /repos/acme/r/issues', { title: 'kept' }), await make('POST /repos/acme/r/pulls', { title: 'kept', head: 'a', base: 'main' })]
  const plan = { body: 'See #1, @bob and @ada', labels: [label.id], milestone: milestone.id, assignees: ['ada', 'bob'] }
  const gone = [
    await make('POST /repos/acme/r/issues', { title: 'cogwheel', ...plan }),
    await make('POST /repos/acme/r/pulls', { title: 'cogwheel', head: 'b', base: 'main', ...plan }),
  ]
  for (const { number } of gone) {
    const at = `/repos/acme/r/issues/${number}`
    const comment = await make(`POST ${at}/comments`, { body: 'Again #1, @bob' })
    await make(`PATCH /repos/acme/r/issues/comments/${comment.id}`, { body: 'Edited' })
    for (const on of [at, `/repos/acme/r/issues/comments/${comment.id}`]) await make(`POST ${on}/reactions`, { content: 'heart' })
    await make(`POST ${at}/times`, { time: 60 })
    await make(`POST ${at}/dependencies`, { owner: 'acme', repo: 'r', index: 1 })
    await make(`POST ${at}/blocks`, { owner: 'acme', repo: 'r', index: 2 })
    await make(`PUT ${at}/subscriptions/ada`)
  }
  for (const as of ['ada', 'bob']) await make(`POST /repos/acme/r/issues/${gone[0]?.number}/stopwatch/start`, {}, as)
  const pull = `/repos/acme/r/pulls/${gone[1]?.number}`
  await make(`POST ${pull}/requested_reviewers`, { reviewers: ['bob'], team_reviewers: ['crew'] })
  await make(`POST ${pull}/reviews`, { event: 'APPROVED', body: 'ok', comments: [{ path: 'b', body: 'line', new_position: 1 }] }, 'bob')
  for (const as of ['ada', 'bob']) await forge.asUser(as).get('/notifications')

  const numbers = gone.map(({ number }) => number)
  const ids = db.all<{ id: number }>('SELECT id FROM issue WHERE number IN (?, ?)', ...numbers).map(({ id }) => id)
  db.txLeavingRows((tx) => {
    for (const id of ids) {
      for (const person of [ada, bob]) tx.run('INSERT OR IGNORE INTO notification (user_id, issue_id, updated_at) VALUES (?, ?, 1)', person.row.id, id)
      tx.run('DELETE FROM issue WHERE id = ?', id)
      noteGone(tx, 'issue', id)
    }
  })
  const some = ['assigned=true', 'created=true', 'mentioned=true', 'review_requested=true', 'reviewed=true', 'labels=l', 'milestones=m', 'q=cogwheel']
  const one = ['assigned_by=ada', 'created_by=ada', 'mentioned_by=bob', 'labels=l', 'milestones=m', 'q=cogwheel', `labels=${label.id}`]
  const typed = ['assignee:ada', 'no:assignee', 'label:l', 'milestone:m', 'mentions:bob', 'review-requested:bob', 'reviewed-by:bob', 'author:ada', 'cogwheel']
  const more = [
    ...some.flatMap((query) => ['open', 'all'].map((state) => `/api/v1/repos/issues/search?${query}&state=${state}`)),
    ...one.flatMap((query) => ['issues', 'pulls'].map((list) => `/api/v1/repos/acme/r/${list}?${query}&state=all`)),
    ...typed.flatMap((q) => ['', '/acme/r'].flatMap((at) => ['issues', 'pulls'].map((list) => `${at}/${list}?q=${encodeURIComponent(`is:all ${q}`)}`))),
    '/api/v1/notifications?all=true',
  ]
  const index = [...kept, ...gone].map(({ number }) => number)
  const values = { owner: ['acme'], repo: ['r'], org: ['acme'], username: ['ada', 'bob'], index, number: index }
  const people = soak([ada], [ada, bob])
  const without = soak(
    /\/(archive|raw|media|blame|src|git|contents|compare|graph|wiki|releases|tags|branches|branch_protections|hooks|actions|packages|keys|gpg_keys|admin|licenses|gitignore|swagger|settings)\b/,
    undefined,
  )
  await allAnswers(forge, { people, values, more, without })
  const before = await allAnswers(forge, { people, values, more, without })
  expect(db.all<{ table: string }>('PRAGMA foreign_key_check').length).toBeGreaterThan(40)
  await jobs.resume()
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
  expect(differences(before, await allAnswers(forge, { people, values, more, without }))).toEqual([])
})
