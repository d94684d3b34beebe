import { afterAll, beforeAll, expect, spyOn } from 'bun:test'
import { eventually } from '../../../test/eventually.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import { followStatuses, startMergingScheduled } from './follow-statuses.ts'
import { tryScheduledMerge } from './merge-scheduled.ts'
import { findScheduled } from './scheduled-store.ts'
import type { PullRequest } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const ada = forge.asUser('ada')
let made = 0
const home = '/repos/ada/engine'
const schedule = (index: number, more: object = {}, as = 'ada') =>
  forge.asUser(as).post<{ message?: string }>(`${home}/pulls/${index}/merge`, { do: 'merge', merge_when_checks_succeed: true, ...more })
const cancel = async (index: number, as = 'ada') => (await forge.asUser(as).delete(`${home}/pulls/${index}/merge`)).status
const get = async (index: number) => (await ada.get<PullRequest>(`${home}/pulls/${index}`)).body
const commitTo = (branch: string, path: string) => ada.post(`${home}/contents/${path}`, { branch, content: btoa(path), message: `Add ${path}` })
const tipOf = async (branch: string) => (await ada.get<{ commit: { id: string } }>(`${home}/branches/${branch}`)).body.commit?.id ?? ''
const entries = async (index: number) => {
  const { body } = await ada.get<{ type: string; user: { login: string } }[]>(`${home}/issues/${index}/timeline`)
  return body.filter(({ type }) => type.includes('merge')).map(({ type, user }) => `${type} ${user.login}`)
}

/** What a program says of a commit, and what follows from it. */
async function say(sha: string, state: string, context = 'ci'): Promise<void> {
  expect((await ada.post(`${home}/statuses/${sha}`, { state, context })).status).toBe(201)
  await followStatuses(forge.context)
}

async function pullOf(title = `Topic ${made + 1}`, base = 'main') {
  const name = `topic-${++made}`
  await ada.post(`${home}/branches`, { new_branch_name: name, old_ref_name: 'main' })
  await commitTo(name, `${name}.txt`)
  const { body } = await ada.post<PullRequest>(`${home}/pulls`, { title, head: name, base })
  return { name, number: body.number, id: body.id, head: body.head.sha }
}

beforeAll(async () => {
  await repositoryWithPeople(forge, { bob: 'write', carl: 'write', eve: 'none' })
})
afterAll(() => forge[Symbol.asyncDispose]())

test('where nobody has ever reported a check there is nothing to wait for', async () => {
  const { number } = await pullOf()
  expect((await schedule(number)).status).toBe(201)
  expect(await get(number)).toMatchObject({ merged: true, merged_by: { login: 'ada' } })
})

test('an approval does not outrun the checks of a repository that has some', async () => {
  await ada.post(`${home}/branches`, { new_branch_name: 'approved', old_ref_name: 'main' })
  expect((await ada.post(`${home}/branch_protections`, { rule_name: 'approved', required_approvals: 1, block_admin_merge_override: true })).status).toBe(201)
  await say(await tipOf('main'), 'success', 'nightly')
  const { number, head } = await pullOf(undefined, 'approved')
  expect((await schedule(number)).status).toBe(201)
  expect((await forge.asUser('bob').post(`${home}/pulls/${number}/reviews`, { event: 'APPROVED' })).status).toBe(200)
  await followStatuses(forge.context)
  expect((await get(number)).merged).toBe(false)
  await say(head, 'pending')
  expect((await get(number)).merged).toBe(false)
  await say(head, 'success')
  expect((await get(number)).merged).toBe(true)
})

test('a merge waits for every check of the head, and is done as its asker wished', async () => {
  const { number, name, head } = await pullOf()
  await say(head, 'pending')
  const asked = { do: 'squash', merge_title_field: 'Joined', merge_message_field: 'Why.', delete_branch_after_merge: true }
  expect(await schedule(number, asked, 'bob')).toMatchObject({ status: 201, body: '' })
  await say(head, 'success', 'lint')
  await say(head, 'failure')
  expect((await get(number)).merged).toBe(false)
  await say(head, 'success')
  const pull = await get(number)
  expect([pull.merged, pull.merged_by?.login, await tipOf(name)]).toEqual([true, 'bob', ''])
  const commit = await ada.get<{ commit: { message: string } }>(`${home}/git/commits/${pull.merge_commit_sha}`)
  expect(commit.body.commit.message).toStartWith('Joined\n\nWhy.')
  expect(await entries(number)).toEqual(['pull_scheduled_merge bob', 'merge_pull bob'])
  expect(await cancel(number)).toBe(404)
})

test.each(['failure', 'error', 'warning', 'pending'])('a check that says %s merges nothing', async (state) => {
  const { number, head } = await pullOf()
  expect((await schedule(number)).status).toBe(201)
  await say(head, state)
  expect((await get(number)).merged).toBe(false)
  expect(await cancel(number)).toBe(204)
})

test('what has succeeded already is merged at once', async () => {
  const { number, head } = await pullOf()
  await say(head, 'success')
  expect((await schedule(number)).status).toBe(201)
  expect((await get(number)).merged).toBe(true)
})

test('a merge is scheduled once, and not where it could not be done whatever the checks say', async () => {
  const { number, id, name, head } = await pullOf()
  expect(await schedule(number, {}, 'eve')).toMatchObject({ status: 405, body: { message: 'User not allowed to merge PR' } })
  expect((await schedule(number, { do: 'octopus' })).status).toBe(422)
  expect((await schedule(number, { head_commit_id: await tipOf('main') })).status).toBe(409)
  expect((await forge.post(`${home}/pulls/${number}/merge`, { do: 'merge', merge_when_checks_succeed: true })).status).toBe(401)
  expect((await schedule((await pullOf('WIP: later')).number)).status).toBe(405)
  await ada.post(`${home}/contents/clash.txt`, { branch: 'main', content: btoa('main'), message: 'Clash' })
  expect((await schedule(number, { head_commit_id: head })).status).toBe(201)
  expect(await schedule(number, {}, 'bob')).toMatchObject({
    status: 409,
    body: { message: `pull request is already scheduled to auto merge when checks succeed [pull_id: ${id}]` },
  })
  const clashing = await pullOf()
  await ada.post(`${home}/contents/other.txt`, { branch: clashing.name, content: btoa('topic'), message: 'Other' })
  await ada.post(`${home}/contents/other.txt`, { branch: 'main', content: btoa('main'), message: 'Other' })
  expect((await schedule(clashing.number)).status).toBe(405)
  expect([await entries(number), await entries(clashing.number)]).toEqual([['pull_scheduled_merge ada'], []])
  // It was asked for one head alone.
  await commitTo(name, 'late.txt')
  await say(await tipOf(name), 'success')
  expect([(await get(number)).merged, await cancel(number)]).toEqual([false, 204])
})

test('who asked for it and who could merge it take it back', async () => {
  const { number, head } = await pullOf()
  expect(await cancel(number)).toBe(404)
  await schedule(number, {}, 'bob')
  expect((await forge.delete(`${home}/pulls/${number}/merge`)).status).toBe(401)
  expect(await cancel(number, 'eve')).toBe(403)
  await ada.patch(home, { archived: true })
  expect(await cancel(number)).toBe(423)
  await ada.patch(home, { archived: false })
  expect(await cancel(number, 'carl')).toBe(204)
  expect(await cancel(number, 'carl')).toBe(404)
  await say(head, 'success')
  expect((await get(number)).merged).toBe(false)
  expect(await entries(number)).toEqual(['pull_scheduled_merge bob', 'pull_cancel_scheduled_merge carl'])
})

test('a push keeps it scheduled, and it is the new head whose checks count', async () => {
  const { number, name, head } = await pullOf()
  await schedule(number)
  await commitTo(name, `${name}-more.txt`)
  await say(head, 'success')
  expect((await get(number)).merged).toBe(false)
  await say(await tipOf(name), 'success')
  expect((await get(number)).merged).toBe(true)
})

test('who lost the right to merge since merges nothing, and it stays scheduled', async () => {
  const { number, id, head } = await pullOf()
  await schedule(number, {}, 'bob')
  await ada.put(`${home}/collaborators/bob`, { permission: 'read' })
  await say(head, 'success')
  expect([(await get(number)).merged, findScheduled(forge.context.db, id)?.issue_id]).toEqual([false, id])
  await ada.put(`${home}/collaborators/bob`, { permission: 'write' })
  await say(head, 'success')
  expect((await get(number)).merged).toBe(true)
})

test('a closed one is not merged, and one that is opened again is', async () => {
  const { number, head } = await pullOf()
  await schedule(number)
  await ada.patch(`${home}/pulls/${number}`, { state: 'closed' })
  await say(head, 'success')
  expect((await get(number)).merged).toBe(false)
  await ada.patch(`${home}/pulls/${number}`, { state: 'open' })
  await followStatuses(forge.context)
  expect((await get(number)).merged).toBe(true)
})

test('a merge by hand ends it', async () => {
  const { number, id } = await pullOf()
  await schedule(number)
  expect((await ada.post(`${home}/pulls/${number}/merge`, { do: 'merge' })).status).toBe(200)
  expect(findScheduled(forge.context.db, id)).toBeUndefined()
})

test('of two who try it and one who takes it back, all at once, either the merge or the taking back is done', async () => {
  const { number, id, head } = await pullOf()
  await schedule(number)
  await ada.post(`${home}/statuses/${head}`, { state: 'success' })
  const [cancelled] = await Promise.all([cancel(number), tryScheduledMerge(forge.context, id), followStatuses(forge.context)])
  const { merged } = await get(number)
  expect([cancelled, merged]).toEqual(merged ? [404, true] : [204, false])
  expect((await entries(number)).filter((entry) => entry.startsWith('merge_pull')).length).toBe(merged ? 1 : 0)
})

test('what a full disk has kept from being merged is merged soon after it is full no more', async () => {
  const { number, head } = await pullOf()
  await schedule(number)
  const making = spyOn(forge.context.git, 'make').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' })
  })
  await say(head, 'success')
  expect([making.mock.calls.length > 0, (await get(number)).merged]).toEqual([true, false])
  making.mockRestore()
  await eventually(async () => (await get(number)).merged, 'the merge')
})

test('a status wakes it, and a start does what an earlier run left undone', async () => {
  const left = await pullOf()
  await schedule(left.number)
  await say(left.head, 'pending')
  await ada.post(`${home}/statuses/${left.head}`, { state: 'success', context: 'ci' })
  const { number, head } = await pullOf()
  await schedule(number)
  startMergingScheduled(forge.context)
  await ada.post(`${home}/statuses/${head}`, { state: 'success' })
  await eventually(async () => (await get(left.number)).merged && (await get(number)).merged, 'both merges')
})
