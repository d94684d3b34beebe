import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { ownersOf, parseCodeOwners, wordsOf } from './code-owners.ts'
import { followEvents } from './follow-events.ts'
import { type ReviewForge, reviewForge } from './reviews.fixture.ts'

test.each<[string, string[]]>([
  ['', []],
  ['# all of it', []],
  ['\\.go$ @ada  @org/team', ['.go$', '@ada', '@org/team']],
  ['\\\\.go$ @ada # and more', ['\\.go$', '@ada']],
  ['with\\ blank\t@ada', ['with blank', '@ada']],
])('the words of %j are %j', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

test.each<[string, string[], string[]]>([
  ['.*\\\\.go @ada', ['src/a.go'], ['ada']],
  ['.*\\\\.go @ada', ['src/a.got'], []],
  ['src/ @ada', ['src/a.go'], []],
  ['src/.* ada @bob\n.* @carl @ada', ['src/a.go'], ['ada', 'bob', 'carl']],
  ['!src/.* @ada', ['src/a.go'], []],
  ['!src/.* @ada', ['src/a.go', 'docs/b.md'], ['ada']],
  ['a|b.* @ada', ['ax'], []],
  ['( @ada\n.* @bob\nalone', ['x'], ['bob']],
])('%j gives %j to %j', (text, paths, owners) => {
  expect(ownersOf(parseCodeOwners(text), paths)).toEqual(owners)
})

test('an expression that others take forever for takes no time', () => {
  const path = 'a'.repeat(4000)
  const spent = cpuMeter()
  expect(ownersOf(parseCodeOwners('(a*)*b @ada'), [path])).toEqual([])
  expect(spent()).toBeLessThan(1000)
})

let on: ReviewForge
beforeAll(async () => {
  on = await reviewForge()
  const text = 'src/.* @bob @ada @absent @acme/team\n!src/.* @carl\nsecret/.* @eve'
  await on.commit({ branch: 'main', path: '.gitea/CODEOWNERS', text })
})
afterAll(() => on.forge[Symbol.asyncDispose]())
const askedOf = async (number: number) =>
  (await on.engine.asUser('ada').get<{ requested_reviewers: { login: string }[] }>(`/pulls/${number}`)).body.requested_reviewers.map(({ login }) => login)

test('owners of what it changes are asked when it is opened, in its author’s name', async () => {
  expect(await askedOf((await on.pullOf({ path: 'src/a.ts' })).number)).toEqual(['bob'])
  expect(await askedOf((await on.pullOf({ path: 'docs/a.md', more: { reviewers: ['rita'] } })).number)).toEqual(['rita', 'carl'])
  expect(await askedOf((await on.pullOf({ path: 'src/b.ts', as: 'bob' })).number)).toEqual(['ada'])
})

test('a draft asks nobody before it is ready, and then once', async () => {
  const { number } = await on.pullOf({ path: 'src/c.ts', title: 'WIP: Later' })
  const rename = (title: string) => on.engine.asUser('ada').patch(`/pulls/${number}`, { title })
  await rename('[wip] Later')
  await followEvents(on.forge.context)
  expect(await askedOf(number)).toEqual([])
  await rename('Now')
  expect(await askedOf(number)).toEqual(['bob'])
  await on.engine.asUser('ada').delete(`/pulls/${number}/requested_reviewers`, { reviewers: ['bob'] })
  await rename('Now or never')
  await followEvents(on.forge.context)
  expect(await askedOf(number)).toEqual([])
})

test('what a crash kept from being asked is asked afterwards', async () => {
  const { number, id } = await on.pullOf({ path: 'src/d.ts', title: 'WIP: Crash' })
  // As the transaction leaves it in which the title changes: nobody has been asked yet.
  const { context } = on.forge
  context.db.tx((tx) => {
    tx.update('issue', id, { title: 'Crash' })
    context.events.record(tx, { type: 'issue', action: 'edited', actorId: 1, repoId: 1, issueId: id, number, isPull: true, title: 'Crash' })
  })
  await followEvents(context)
  expect(await askedOf(number)).toEqual(['bob'])
})

test('teams of the organization own files, as far as they reach the repository; in forks nobody does', async () => {
  await on.forge.asUser('ada').post('/orgs', { username: 'acme' })
  await on.forge.asUser('ada').post('/orgs/acme/repos', { name: 'tools', auto_init: true, default_branch: 'main' })
  await on.forge.asUser('ada').post('/orgs/acme/teams', { name: 'smiths', units_map: { 'repo.pulls': 'read' }, includes_all_repositories: true })
  await on.forge.asUser('ada').post('/orgs/acme/teams', { name: 'others', units_map: { 'repo.pulls': 'read' } })
  const put = (repo: string, path: string, text: string, branch: object) =>
    on.forge.asUser('ada').post(`/repos/${repo}/contents/${path}`, { content: btoa(text), ...branch })
  await put('acme/tools', 'docs/CODEOWNERS', '.* @acme/smiths @acme/others @other/smiths @bob', {})
  const teamsOf = async (repo: string) => {
    await put(repo, 'a.txt', 'a', { new_branch: 'topic' })
    const { body } = await on.forge
      .asUser('ada')
      .post<{ requested_reviewers_teams: { name: string }[]; requested_reviewers: { login: string }[] }>(`/repos/${repo}/pulls`, {
        title: 'Topic',
        head: 'topic',
        base: 'main',
      })
    return [...body.requested_reviewers_teams.map(({ name }) => name), ...body.requested_reviewers.map(({ login }) => login)]
  }
  await on.forge.asUser('ada').post('/repos/acme/tools/forks', { name: 'fork' })
  expect(await teamsOf('acme/tools')).toEqual(['smiths', 'bob'])
  expect(await teamsOf('ada/fork')).toEqual([])
})
