import { expect, test } from 'bun:test'
import { allAnswers, differences } from '../../../test/all-answers.ts'
import { oneStepBatches, testForge } from '../../../test/harness.ts'
import { noteGone } from '../../../test/next-start.ts'
import { soak } from '../../../test/soak.ts'

test('what a crash leaves of an organization that is gone changes no answer, and goes with the next start', async () => {
  await using forge = testForge({}, { ...oneStepBatches, clock: { seconds: () => 1_800_000_000, millis: () => 1_800_000_000_000 } })
  const { db, jobs } = forge.context
  const [ada, bob] = [await forge.person('ada', { isAdmin: true }), await forge.person('bob')]
  const make = async (line: string, body: unknown = {}, as = ada) => {
    const made = await forge.asUser(as).send<{ id: number }>(line, { body })
    expect([line, made.status < 300]).toEqual([line, true])
    return made.body.id
  }
  const org = await make('POST /orgs', { username: 'acme' })
  const team = await make('POST /orgs/acme/teams', { name: 'crew', permission: 'write', units: ['repo.code'], can_create_org_repo: true, visibility: 'public' })
  await make(`PUT /teams/${team}/members/bob`)
  await make('PUT /orgs/acme/public_members/bob', {}, bob)
  const label = await make('POST /orgs/acme/labels', { name: 'ours', color: '#aabbcc' })
  const hook = await make('POST /orgs/acme/hooks', { type: 'gitea', config: { url: 'http://127.0.0.1:9/', content_type: 'json' } })
  forge.repo(ada, 'offered', { private: true })
  await make('POST /repos/ada/offered/transfer', { new_owner: 'acme' })
  forge.repo(bob, 'asked')
  await make('POST /repos/bob/asked/transfer', { new_owner: 'acme' }, bob)
  db.tx((tx) => tx.run('UPDATE repository SET owner_id = ? WHERE owner_id = ?', ada.row.id, org))
  db.txLeavingRows((tx) => {
    tx.run('DELETE FROM user WHERE id = ?', org)
    noteGone(tx, 'user', org)
  })
  const values = { owner: ['ada', 'bob', 'acme'], repo: ['offered', 'asked'], org: ['acme'], username: ['ada', 'bob', 'acme'], id: [1, team, label, hook] }
  // There are no such repositories: asking for all of them again and again shows little, and takes long.
  const without = soak(/\/(bob|acme)\/offered(\/|$)|\/(ada|acme)\/asked(\/|$)/, undefined)
  const asked = { people: [ada, bob], values, more: ['ada', 'bob'].map((name) => `/api/v1/users/${name}/orgs`), without }
  await allAnswers(forge, asked)
  const before = await allAnswers(forge, asked)
  expect(db.all('PRAGMA foreign_key_check').length).toBeGreaterThan(9)
  await jobs.resume()
  expect(db.all('PRAGMA foreign_key_check')).toEqual([])
  expect(differences(before, await allAnswers(forge, asked))).toEqual([])
}, 60_000)
