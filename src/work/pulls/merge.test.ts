import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { GitError } from '#git/errors.ts'
import { gitIn, testForge } from '../../../test/harness.ts'
import { anHourLater } from '../../../test/stopwatch.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import type { PullRequest } from './schema.ts'

const forge = testForge()
const ada = forge.asUser('ada')
let repoId: number
let made = 0
const home = '/repos/ada/engine'
const gitHere = (...args: string[]) => gitIn(forge.context.git.pathOf(repoId), ...args).trim()
const tipOf = (name: string) =>
  forge.context.db.find<{ oid: string }>('SELECT oid FROM ref WHERE repo_id = ? AND name = ?', repoId, `refs/heads/${name}`)?.oid ?? ''
const commitTo = (branch: string, path: string, as = 'ada') =>
  forge.asUser(as).post(`${home}/contents/${path}`, { branch, content: btoa(path), message: `Add ${path}` })
const branch = (name: string, from = 'main') => ada.post(`${home}/branches`, { new_branch_name: name, old_ref_name: from })
const merge = (index: number, body: object, as = 'ada') => forge.asUser(as).post<{ message?: string }>(`${home}/pulls/${index}/merge`, body)
const get = async (index: number) => (await ada.get<PullRequest>(`${home}/pulls/${index}`)).body

/** A branch with two commits of its own, and a pull request into `base`. */
async function pullOf({ base = 'main', as = 'ada', ...more }: { base?: string; as?: string; title?: string; body?: string } = {}) {
  const name = `topic-${++made}`
  await branch(name, base)
  for (const file of ['a', 'b']) await commitTo(name, `${name}-${file}.txt`)
  const { body } = await forge.asUser(as).post<PullRequest>(`${home}/pulls`, { title: `Topic ${made}`, head: name, base, ...more })
  return { name, number: body.number, head: body.head.sha }
}

beforeAll(async () => {
  await repositoryWithPeople(forge, { bob: 'write', eve: 'none' })
  repoId = (await forge.get<{ id: number }>(home)).body.id
})
afterAll(() => forge[Symbol.asyncDispose]())

const subjects = (tip: string, since: string) => gitHere('log', '--format=%s|%an|%cn|%P', '--first-parent', `${since}..${tip}`).split('\n')

test('what merging comes to is looked for again where it took too long', async () => {
  const { git } = forge.context
  const { number } = await pullOf()
  await merge((await pullOf()).number, { do: 'merge' })
  const run = git.run.bind(git)
  const busy = spyOn(git, 'run').mockImplementation((task, where, input) =>
    task === 'mergeability' ? Promise.reject(new GitError('limit', 'Cannot merge: it takes too long')) : run(task, where, input),
  )
  expect([(await get(number)).mergeable, (await merge(number, { do: 'merge' })).status]).toEqual([false, 405])
  busy.mockRestore()
  using _clock = anHourLater()
  expect([(await get(number)).mergeable, (await merge(number, { do: 'merge' })).status]).toEqual([true, 200])
})

describe('each style leaves what git would', () => {
  test('merge', async () => {
    const before = tipOf('main')
    const { number, name, head } = await pullOf({ as: 'bob' })
    expect(await merge(number, { do: 'merge' })).toMatchObject({ status: 200, body: '' })
    expect(subjects(tipOf('main'), before)).toEqual([`Merge pull request 'Topic ${made}' (#${number}) from ${name} into main|ada|ada|${before} ${head}`])
    expect(await get(number)).toMatchObject({
      state: 'closed',
      merged: true,
      mergeable: true,
      merge_commit_sha: tipOf('main'),
      merge_base: before,
      changed_files: 2,
    })
    expect((await get(number)).merged_by?.login).toBe('ada')
    expect((await ada.get(`${home}/pulls/${number}/merge`)).status).toBe(204)
    expect((await ada.get<PullRequest>(`${home}/commits/${tipOf('main')}/pull`)).body.number).toBe(number)
    expect((await ada.get(`${home}/commits/${head}/pull`)).status).toBe(404)
    expect((await ada.get<unknown[]>(`${home}/pulls/${number}/commits`)).body.length).toBe(2)
  })

  test('squash', async () => {
    const before = tipOf('main')
    const { number } = await pullOf({ as: 'bob' })
    expect((await merge(number, { do: 'squash', merge_message_field: 'Why.' })).status).toBe(200)
    expect(subjects(tipOf('main'), before)).toEqual([`Topic ${made} (#${number})|bob|ada|${before}`])
    expect(gitHere('log', '-1', '--format=%b', tipOf('main'))).toStartWith('Why.\n\nCo-authored-by: ada <')
  })

  test('rebase, rebase-merge and fast-forward-only', async () => {
    for (const [style, lines] of [
      ['rebase', 2],
      ['rebase-merge', 1],
    ] as const) {
      const { number } = await pullOf()
      await commitTo('main', `meanwhile-${style}.txt`)
      const before = tipOf('main')
      expect((await merge(number, { Do: style, MergeTitleField: 'Joined' })).status).toBe(200)
      expect(subjects(tipOf('main'), before).length).toBe(lines)
      expect(gitHere('rev-list', '--count', `${before}..${tipOf('main')}`)).toBe(style === 'rebase' ? '2' : '3')
    }
    const { number, head } = await pullOf()
    expect((await merge(number, { do: 'fast-forward-only' })).status).toBe(200)
    expect(tipOf('main')).toBe(head)
    const diverged = await pullOf()
    await commitTo('main', 'diverged.txt')
    const refused = await merge(diverged.number, { do: 'fast-forward-only' })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('Cannot fast-forward main: it has new commits.') } })
  })

  test('manually-merged', async () => {
    const { number, head } = await pullOf()
    expect((await merge(number, { do: 'manually-merged', merge_commit_id: head })).status).toBe(405)
    await ada.patch(home, { allow_manual_merge: true })
    expect((await merge(number, { do: 'manually-merged', merge_commit_id: head })).status).toBe(409)
    const before = tipOf('main')
    expect((await merge(number, { do: 'manually-merged', merge_commit_id: before })).status).toBe(200)
    expect(await get(number)).toMatchObject({ merged: true, merge_commit_sha: before })
    expect(tipOf('main')).toBe(before)
  })
})

test('what cannot be merged says why, and nothing moves', async () => {
  const { number } = await pullOf()
  const before = tipOf('main')
  const refused = async (body: object, as = 'ada') => {
    const answer = await merge(number, body, as)
    expect(tipOf('main')).toBe(before)
    return [answer.status, answer.body.message]
  }
  expect((await refused({}))[0]).toBe(422)
  expect((await refused({ do: 'octopus' }))[0]).toBe(422)
  expect(await refused({ do: 'merge' }, 'eve')).toEqual([405, 'User not allowed to merge PR'])
  expect(await refused({ do: 'merge', head_commit_id: before })).toEqual([409, 'head out of date'])
  await ada.patch(home, { allow_squash_merge: false })
  expect(await refused({ do: 'squash' })).toEqual([405, 'squash is not allowed an allowed merge style for this repository'])
  await ada.patch(home, { allow_squash_merge: true })
  await ada.patch(`${home}/pulls/${number}`, { title: 'WIP: not yet' })
  expect(await refused({ do: 'merge' })).toEqual([405, 'Work in progress PRs cannot be merged'])
  await ada.patch(`${home}/pulls/${number}`, { title: 'now', state: 'closed' })
  expect((await refused({ do: 'merge' }))[0]).toBe(404)
})

test('conflicts are refused before and while rebasing', async () => {
  await branch('clash')
  await commitTo('main', 'clash.txt')
  await ada.post(`${home}/contents/clash.txt`, { branch: 'clash', content: btoa('other'), message: 'Clash' })
  const { body } = await ada.post<PullRequest>(`${home}/pulls`, { title: 'Clash', head: 'clash', base: 'main' })
  expect(await merge(body.number, { do: 'merge' })).toMatchObject({ status: 405, body: { message: 'Please try again later' } })
})

test('a merge closes what it says, deletes its branch, and what was to go into that goes where it went', async () => {
  const issue = (await ada.post<{ number: number }>(`${home}/issues`, { title: 'Broken' })).body.number
  const parent = await pullOf({ body: `Fixes #${issue}` })
  const child = await pullOf({ base: parent.name })
  const timeline = async () => {
    const { body } = await ada.get<{ type: string; old_ref: string; body: string; ref_action: string }[]>(`${home}/issues/${parent.number}/timeline`)
    return body.map(({ type, old_ref, body, ref_action }) => [type, old_ref || body, ref_action])
  }
  const opened = ['pull_push', JSON.stringify({ is_force_push: false, commit_ids: [parent.head] }), 'none']
  expect(await timeline()).toEqual([opened])
  expect((await merge(parent.number, { do: 'merge', delete_branch_after_merge: true })).status).toBe(200)
  expect((await ada.get(`${home}/issues/${issue}`)).body.state).toBe('closed')
  expect(tipOf(parent.name)).toBe('')
  expect(await timeline()).toEqual([opened, ['merge_pull', '', 'none'], ['delete_branch', parent.name, 'none']])
  expect((await get(parent.number)).head.ref).toBe(`refs/pull/${parent.number}/head`)
  expect(await get(child.number)).toMatchObject({ state: 'open', base: { ref: 'main' }, mergeable: true })
  expect((await ada.patch(`${home}/pulls/${parent.number}`, { state: 'open' })).status).toBe(412)
})

test('a merge closes nothing before the default branch has it, and in other repositories only what the author may', async () => {
  const open = async (as: string, repo: string) => (await forge.asUser(as).post<{ number: number }>(`/repos/${repo}/issues`, { title: 'Broken' })).body.number
  await ada.post('/user/repos', { name: 'vault', private: true })
  await forge.asUser('bob').post('/user/repos', { name: 'shed' })
  const [here, ofAda, ofBob] = [await open('ada', 'ada/engine'), await open('ada', 'ada/vault'), await open('ada', 'bob/shed')]
  const body = `Fixes #${here}, fixes ada/vault#${ofAda}, fixes bob/shed#${ofBob}`
  const states = async () => {
    const asked = [`ada/engine/issues/${here}`, `ada/vault/issues/${ofAda}`, `bob/shed/issues/${ofBob}`]
    return Promise.all(asked.map(async (path) => (await ada.get(`/repos/${path}`)).body.state))
  }
  await branch('release')
  expect((await merge((await pullOf({ base: 'release', as: 'bob', body })).number, { do: 'merge' })).status).toBe(200)
  expect(await states()).toEqual(['open', 'open', 'open'])
  expect((await merge((await pullOf({ as: 'bob', body })).number, { do: 'merge' })).status).toBe(200)
  expect(await states()).toEqual(['closed', 'open', 'closed'])
})

test('a branch is brought up to its base', async () => {
  for (const style of ['merge', 'rebase']) {
    const { number, name } = await pullOf()
    expect((await ada.post(`${home}/pulls/${number}/update?style=${style}`)).status).toBe(422)
    await commitTo('main', `newer-${style}.txt`)
    expect((await forge.asUser('eve').post(`${home}/pulls/${number}/update?style=${style}`)).status).toBe(403)
    expect((await ada.post(`${home}/pulls/${number}/update?style=${style}`)).status).toBe(200)
    expect(gitHere('merge-base', tipOf('main'), tipOf(name))).toBe(tipOf('main'))
    expect((await get(number)).head.sha).toBe(tipOf(name))
  }
})

test('of twenty who merge the same at once, one does', async () => {
  const { number } = await pullOf()
  const before = tipOf('main')
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => merge(number, { do: at % 2 === 0 ? 'merge' : 'squash' }, at % 3 === 0 ? 'bob' : 'ada')),
  )
  expect(answers.filter(({ status }) => status === 200).length).toBe(1)
  expect(answers.every(({ status }) => [200, 405, 409].includes(status))).toBe(true)
  expect(gitHere('rev-list', '--count', '--first-parent', `${before}..${tipOf('main')}`)).toBe('1')
})

test('a push that comes between judging and landing is not merged unseen', async () => {
  const { number, name } = await pullOf()
  const [merged, pushed] = await Promise.all([merge(number, { do: 'merge' }), commitTo(name, 'late.txt')])
  const pull = await get(number)
  expect([merged.status === 200, pull.merged]).toEqual([pull.merged, merged.status === 200])
  expect(pushed.status).toBe(201)
  if (merged.status === 200) expect(pull.head.sha).not.toBe(tipOf(name))
})
