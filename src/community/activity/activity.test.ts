import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { SHA1 } from '#git/objects/oid.ts'
import { eventually } from '../../../test/eventually.ts'
import { fillRepo, gitIn } from '../../../test/harness.ts'
import { type FeedForge, feedForge, fillPrivate } from './feed.fixture.ts'
import { startFollowing, takeEvents } from './follow-events.ts'
import type { Activity } from './schema.ts'

let forge: FeedForge
const story = describe.skipIf(Bun.which('git') === null)
beforeEach(async () => {
  forge = await feedForge()
})
afterEach(() => forge[Symbol.asyncDispose]())

const adas = '/users/ada/activities/feeds'
const engines = '/repos/ada/engine/activities/feeds'

/** As if no event had been looked at yet. */
function forget(): void {
  forge.context.db.tx((tx) => {
    tx.run('DELETE FROM activity')
    tx.run('UPDATE activity_place SET event_id = 0, made = 0')
  })
}

function commit(directory: string, ...messages: string[]): void {
  for (const message of messages) gitIn(directory, 'commit', '-q', '--allow-empty', '-m', message)
}

test('what is done in a repository is told in the feeds of it and of whoever did it, newest first', async () => {
  await forge.ask('PATCH /repos/ada/engine', { as: 'ada', body: { name: 'motor' } })
  for (const path of [adas, '/repos/ada/motor/activities/feeds']) {
    const [renamed, created, ...others] = (await forge.feed(path, 'bob')) as [Activity, Activity, ...Activity[]]
    expect(others).toEqual([])
    expect(created).toMatchObject({ op_type: 'create_repo', user_id: 1, act_user_id: 1, content: '', ref_name: '', comment_id: 0, comment: null })
    expect(renamed).toMatchObject({
      op_type: 'rename_repo',
      content: 'engine',
      is_private: false,
      repo: { full_name: 'ada/motor' },
      act_user: { login: 'ada' },
    })
    expect(renamed.id).toBeGreaterThan(created.id)
    expect(Date.parse(renamed.created)).toBe(forge.context.clock.seconds() * 1000)
  }
})

test('feeds follow an account to its new name', async () => {
  await forge.ask('POST /admin/users/ada/rename', { as: 'root1', body: { new_username: 'lovelace' } })
  expect(await forge.feed('/users/lovelace/activities/feeds')).toMatchObject([{ act_user: { login: 'lovelace' }, repo: { full_name: 'lovelace/engine' } }])
  const moved = await forge.get('/users/ada/activities/feeds?page=1')
  expect([moved.status, moved.headers.get('location')]).toEqual([301, '/api/v1/users/lovelace/activities/feeds?page=1'])
})

test('a repository takes its activity along when it is deleted, and so does an account', async () => {
  await fillPrivate(forge)
  await forge.ask('PUT /repos/ada/secret/collaborators/bob', { as: 'ada', body: { permission: 'admin' } })
  await forge.ask('PATCH /repos/ada/secret', { as: 'bob', body: { name: 'open', private: false } })
  expect(await forge.told('/repos/ada/open/activities/feeds')).toEqual(['rename_repo in ada/open', 'create_repo in ada/open'])
  await forge.ask('DELETE /admin/users/bob?purge=true', { as: 'root1' })
  expect(await forge.told('/repos/ada/open/activities/feeds')).toEqual(['create_repo in ada/open'])
  await forge.ask('DELETE /repos/ada/open', { as: 'ada' })
  const left = ['create_repo in acme/other', 'create_repo in ada/engine']
  expect(await forge.told(adas, 'cara')).toEqual(left)
  forget()
  expect(await forge.told(adas, 'cara')).toEqual(left)
})

test('a feed tells of all that happened, however much of it was not looked at yet', async () => {
  const { db, events } = forge.context
  db.tx((tx) => {
    for (let i = 0; i < 1200; i++)
      events.record(tx, { type: 'repository', action: 'renamed', actorId: 1, repoId: 1, fullName: 'ada/engine', formerName: `name${i}` })
  })
  const { body, headers } = await forge.ask<Activity[]>(`GET ${engines}`)
  expect([headers.get('x-total-count'), body[0]?.content]).toEqual(['1201', 'name1199'])
})

test('a feed tells of every ref of pushes of many, once, also when two read at once, and reads each push once', async () => {
  const { db, events } = forge.context
  const name = (push: number, i: number) => `refs/heads/branch-${push}-${i}`
  db.tx((tx) => {
    for (const push of [1, 2]) {
      const changes = Array.from({ length: 400 }, (_, i) => ({ name: name(push, i), before: 'ab'.repeat(20), after: SHA1.zero, forced: false }))
      events.record(tx, { type: 'push', actorId: 1, repoId: 1, changes })
    }
  })
  using after = spyOn(events, 'after')
  await Promise.all([takeEvents(forge.context), takeEvents(forge.context)])
  expect(after.mock.calls.length).toBeLessThan(5)
  const told = db.all<{ ref_name: string }>("SELECT ref_name FROM activity WHERE op_type = 'delete_branch' ORDER BY id").map(({ ref_name }) => ref_name)
  expect(told).toEqual([1, 2].flatMap((push) => Array.from({ length: 400 }, (_, i) => name(push, i))))
})

test('feeds tell of merges, of reviews with each of their comments, and hold the comments as records', async () => {
  const R = '/repos/ada/engine'
  await forge.ask(`PUT ${R}/collaborators/bob`, { as: 'ada', body: { permission: 'write' } })
  const write = (path: string, branch: object) => forge.ask(`POST ${R}/contents/${path}`, { as: 'ada', body: { content: btoa(path), ...branch } })
  await write('a.txt', {})
  for (const name of ['b', 'c']) {
    await write(`${name}.txt`, { branch: 'main', new_branch: name })
    await forge.ask(`POST ${R}/pulls`, { as: 'ada', body: { title: `Add ${name}`, head: name, base: 'main' } })
  }
  const comments = [
    { path: 'b.txt', new_position: 1, body: 'On a line' },
    { path: 'b.txt', new_position: 1, body: 'Again' },
  ]
  await forge.ask(`POST ${R}/pulls/1/reviews`, { as: 'bob', body: { event: 'COMMENT', comments } })
  await forge.ask(`POST ${R}/pulls/1/reviews`, { as: 'bob', body: { event: 'APPROVED', body: 'Good' } })
  const gone = (await forge.ask<{ id: number }>(`POST ${R}/issues/1/comments`, { as: 'bob', body: { body: 'Not this' } })).body.id
  await forge.ask(`DELETE ${R}/issues/comments/${gone}`, { as: 'bob' })
  await forge.ask(`PATCH ${R}/pulls/1`, { as: 'ada', body: { state: 'closed' } })
  await forge.ask(`PATCH ${R}/pulls/1`, { as: 'ada', body: { state: 'open' } })
  await forge.ask(`POST ${R}/pulls/1/merge`, { as: 'bob', body: { do: 'merge' } })
  await forge.ask(`POST ${R}/pulls/2/merge`, { as: 'bob', body: { do: 'merge', merge_when_checks_succeed: true } })
  const told = async () => {
    const pulls = (await forge.feed(engines, 'cara')).filter(({ op_type }) => op_type.includes('pull')).toReversed()
    return pulls.map(({ op_type, content, comment_id, comment }) => [op_type, content, (comment?.id ?? 0) === comment_id && comment?.body])
  }
  const expected = [
    ['create_pull_request', '1|Add b', undefined],
    ['create_pull_request', '2|Add c', undefined],
    ['comment_pull', '1|On a line', 'On a line'],
    ['comment_pull', '1|Again', 'Again'],
    ['approve_pull_request', '1|Good', 'Good'],
    ['comment_pull', '1|Not this', undefined],
    ['close_pull_request', '1|Add b', ''],
    ['reopen_pull_request', '1|Add b', ''],
    ['merge_pull_request', '1|Add b', undefined],
    ['auto_merge_pull_request', '2|Add c', undefined],
  ]
  expect(await told()).toEqual(expected)
  forget()
  expect(await told()).toEqual(expected)
  await forge.ask(`PATCH ${R}`, { as: 'ada', body: { has_pull_requests: false } })
  expect((await told()).map(([, content, comment]) => [content, comment])).toEqual(expected.map(() => ['', undefined]))
})

story('what was pushed', () => {
  test('a first push tells of the new branch, then of its newest five commits', async () => {
    fillRepo(forge, 1, (directory) => commit(directory, '1', '2', '3', '4', '5', '6', '7'))
    const [pushed, created] = (await forge.feed(engines)) as [Activity, Activity]
    expect(created).toMatchObject({ op_type: 'commit_repo', ref_name: 'refs/heads/main', content: '' })
    expect(pushed).toMatchObject({ op_type: 'commit_repo', ref_name: 'refs/heads/main' })
    const content = JSON.parse(pushed.content)
    expect(content).toMatchObject({ CompareURL: '', Len: 7 })
    expect(content.Commits.map(({ Message }: { Message: string }) => Message)).toEqual(['7\n', '6\n', '5\n', '4\n', '3\n'])
    const { body: branch } = await forge.ask<{ commit: { id: string; timestamp: string } }>('GET /repos/ada/engine/branches/main')
    expect(content.HeadCommit).toEqual({
      Sha1: branch.commit.id,
      Message: '7\n',
      AuthorEmail: 'ada@example.org',
      AuthorName: 'Ada',
      CommitterEmail: 'ada@example.org',
      CommitterName: 'Ada',
      Timestamp: branch.commit.timestamp,
    })
    expect(content.Commits[0]).toEqual(content.HeadCommit)
  })

  test('a later push tells of its own commits and where to compare; a branch of nothing new of none', async () => {
    const shas: string[] = []
    const make = (...messages: string[]) =>
      fillRepo(forge, 1, (directory) => {
        if (shas.length > 0) gitIn(directory, 'pull', '-q', forge.context.git.pathOf(1), 'main')
        commit(directory, ...messages)
        shas.push(gitIn(directory, 'rev-parse', 'HEAD').trim())
      })
    make('start')
    make(...Array.from({ length: 12 }, (_, i) => `later ${i}`))
    await forge.ask('POST /repos/ada/engine/branches', { as: 'ada', body: { new_branch_name: 'side' } })
    const [branched, , pushed] = (await forge.feed(engines)) as [Activity, Activity, Activity]
    const content = JSON.parse(pushed.content)
    expect(content).toMatchObject({ Len: 12, CompareURL: `ada/engine/compare/${shas[0]}...${shas[1]}`, HeadCommit: { Sha1: shas[1] } })
    expect(content.Commits).toHaveLength(5)
    expect(branched.ref_name).toBe('refs/heads/side')
    expect(JSON.parse(branched.content)).toMatchObject({
      Commits: [],
      Len: 0,
      CompareURL: `ada/engine/compare/main...${shas[1]}`,
      HeadCommit: { Sha1: shas[1] },
    })
  })

  test('a push is told of, though whoever asked first had left before it was read', async () => {
    fillRepo(forge, 1, (directory) => commit(directory, 'start'))
    await forge.feed(engines)
    fillRepo(forge, 1, (directory) => {
      gitIn(directory, 'pull', '-q', forge.context.git.pathOf(1), 'main')
      commit(directory, ...Array.from({ length: 12 }, (_, i) => `later ${i}`))
    })
    await forge.app.handle(new Request(`http://localhost/api/v1${engines}`, { signal: AbortSignal.abort() }))
    const [pushed] = (await forge.feed(engines)) as [Activity]
    expect(JSON.parse(pushed.content).Len).toBe(12)
  })

  test('a branch that was wound back brings no commits', async () => {
    let first = ''
    fillRepo(forge, 1, (directory) => {
      commit(directory, 'one', 'two')
      first = gitIn(directory, 'rev-parse', 'HEAD~').trim()
    })
    fillRepo(forge, 1, (directory) => {
      gitIn(directory, 'pull', '-q', forge.context.git.pathOf(1), 'main')
      gitIn(directory, 'reset', '-q', '--hard', first)
    })
    const [wound] = (await forge.feed(engines)) as [Activity]
    expect(JSON.parse(wound.content)).toMatchObject({ Commits: [], Len: 0, HeadCommit: { Sha1: first, Message: 'one\n' } })
  })

  test('tags are told of with what they name, deletions without; other refs are not', async () => {
    let head = ''
    fillRepo(forge, 1, (directory) => {
      commit(directory, 'one')
      head = gitIn(directory, 'rev-parse', 'HEAD').trim()
      gitIn(directory, 'tag', '-a', '-m', 'first', 'v1')
      gitIn(directory, 'tag', 'tree', 'HEAD^{tree}')
      gitIn(directory, 'update-ref', 'refs/notes/x', 'HEAD')
    })
    await forge.ask('POST /repos/ada/engine/branches', { as: 'ada', body: { new_branch_name: 'side' } })
    await forge.ask('DELETE /repos/ada/engine/branches/side', { as: 'ada' })
    const activities = await forge.feed(engines)
    const byRef = (op: string, ref: string) => activities.filter(({ op_type, ref_name }) => op_type === op && ref_name === ref).map(({ content }) => content)
    expect(byRef('push_tag', 'refs/tags/v1').map((content) => JSON.parse(content))).toMatchObject([{ Commits: null, Len: 0, HeadCommit: { Sha1: head } }])
    expect(byRef('push_tag', 'refs/tags/tree')).toEqual(['{"Commits":null,"HeadCommit":null,"CompareURL":"","Len":0}'])
    expect(byRef('delete_branch', 'refs/heads/side')).toEqual([''])
    expect(activities.filter(({ ref_name }) => ref_name.startsWith('refs/notes'))).toEqual([])
  })

  test('who sees the repository and not its code is told neither of refs nor of commits', async () => {
    fillRepo(forge, 1, (directory) => commit(directory, 'hush'))
    await forge.ask('PATCH /repos/ada/engine', { as: 'ada', body: { has_code: false } })
    const activities = await forge.feed(engines, 'cara')
    expect(activities.map(({ op_type, ref_name, content }) => [op_type, ref_name, content])).toEqual([
      ['commit_repo', '', ''],
      ['commit_repo', '', ''],
      ['create_repo', '', ''],
    ])
  })

  test('activity is made again from the events, whatever was lost of it', async () => {
    fillRepo(forge, 1, (directory) => commit(directory, 'one'))
    const withoutIds = (activities: Activity[]) => activities.map(({ id: _, ...rest }) => rest)
    const before = await forge.feed(adas, 'ada')
    expect(before).toHaveLength(3)
    forget()
    expect(withoutIds(await forge.feed(adas, 'ada'))).toEqual(withoutIds(before))
  })

  test('the commits of a push that can no longer be read are left out', async () => {
    fillRepo(forge, 1, (directory) => commit(directory, 'one'))
    forge.context.db.tx((tx) => tx.run('UPDATE event SET payload = replace(payload, (SELECT oid FROM ref), ?)', 'a'.repeat(40)))
    expect((await forge.feed(engines))[0]?.content).toBe('{"Commits":null,"HeadCommit":null,"CompareURL":"","Len":0}')
  })
})

test('what happens is followed within seconds, though nobody asks for a feed', async () => {
  startFollowing(forge.context)
  const count = () => forge.context.db.find<{ n: number }>('SELECT count(*) AS n FROM activity')?.n ?? 0
  await eventually(() => count() === 1)
  await forge.ask('POST /user/repos', { as: 'bob', body: { name: 'second' } })
  await eventually(() => count() === 2)
})
