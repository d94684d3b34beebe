import { afterAll, beforeAll, expect } from 'bun:test'
import { RefHooks } from '#repositories/refs/hooks.ts'
import { testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import { followStatuses } from './follow-statuses.ts'
import type { PullRequest } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder(() => ada.delete(`${home}/branch_protections/to%2F**`))

/** What rules of branches ask of merges. Each test has a base of its own, `to/<n>`, and the rule is about all of them. */

const forge = testForge()
const ada = forge.asUser('ada')
const cy = forge.asUser('cy')
let made = 0
const home = '/repos/ada/engine'
const merge = async (index: number, body: object = {}, as = 'ada') => {
  const answer = await forge.asUser(as).post<{ message?: string }>(`${home}/pulls/${index}/merge`, { do: 'merge', ...body })
  return answer.status === 200 ? 'merged' : `${answer.status} ${answer.body.message}`
}
const tipOf = async (branch: string) => (await ada.get<{ commit: { id: string } }>(`${home}/branches/${branch}`)).body.commit.id
const branch = (name: string, from: string) => ada.post(`${home}/branches`, { new_branch_name: name, old_ref_name: from })
const commitTo = (name: string, path: string, content = path) =>
  ada.post(`${home}/contents/${path}`, { branch: name, content: btoa(content), message: `Add ${path}` })
const protect = async (body: object) => {
  await ada.delete(`${home}/branch_protections/to%2F**`)
  expect((await ada.post(`${home}/branch_protections`, { rule_name: 'to/**', ...body })).status).toBe(201)
}
const say = (sha: string, state: string, context: string) => ada.post(`${home}/statuses/${sha}`, { state, context })
const isMerged = async (index: number) => (await ada.get<PullRequest>(`${home}/pulls/${index}`)).body.merged

/** A branch that adds files, and the pull request to have it merged into a base of its own. */
async function pullOf(...files: string[]) {
  const n = ++made
  const [name, base] = [`from-${n}`, `to/${n}`]
  await branch(base, 'main')
  await branch(name, 'main')
  for (const file of files.length > 0 ? files : [`src/${n}.txt`]) await commitTo(name, file)
  const { body } = await ada.post<PullRequest>(`${home}/pulls`, { title: `Topic ${n}`, head: name, base })
  return { name, base, number: body.number, head: body.head.sha }
}

beforeAll(async () => {
  await repositoryWithPeople(forge, { bob: 'write', cy: 'write' })
})
afterAll(() => forge[Symbol.asyncDispose]())

test('a rule without pushes lets merge who may write', async () => {
  const [one, two] = [await pullOf(), await pullOf()]
  await protect({})
  expect([await merge(one.number, {}, 'bob'), await merge(two.number)]).toEqual(['merged', 'merged'])
})

test('with a list those merge that are on it, whoever the others are, and none with force', async () => {
  const { number } = await pullOf()
  await protect({ enable_merge_whitelist: true, merge_whitelist_usernames: ['bob'] })
  expect(await merge(number, { force_merge: true })).toBe('405 User not allowed to merge PR')
  expect(await merge(number, {}, 'cy')).toBe('405 User not allowed to merge PR')
  expect((await forge.asUser('bob').get(`${home}/branches/to/1`)).body).toMatchObject({ user_can_push: false, user_can_merge: true })
  expect(await merge(number, {}, 'bob')).toBe('merged')
})

test('each pattern of required checks wants a success, and nothing but successes', async () => {
  const { number, head } = await pullOf()
  await protect({ enable_status_check: true, status_check_contexts: ['ci/*', 'lint'] })
  const missing = '405 Not all required status checks successful'
  expect(await merge(number)).toBe(missing)
  await say(head, 'success', 'ci/unit')
  expect(await merge(number)).toBe(missing)
  await say(head, 'success', 'lint')
  await say(head, 'failure', 'ci/slow/er')
  expect(await merge(number)).toBe(missing)
  await say(head, 'success', 'ci/slow/er')
  await say(head, 'pending', 'lint')
  expect(await merge(number)).toBe(missing)
  await say(head, 'success', 'lint')
  await say(head, 'failure', 'whatever')
  expect(await merge(number, {}, 'bob')).toBe('merged')
})

test('required checks without a pattern are all there are', async () => {
  const { number, head } = await pullOf()
  await protect({ enable_status_check: true })
  expect(await merge(number)).toStartWith('405 Not all required')
  await say(head, 'success', 'a')
  await say(head, 'failure', 'b')
  expect(await merge(number)).toStartWith('405 Not all required')
  await say(head, 'success', 'b')
  expect(await merge(number)).toBe('merged')
})

test('a head that lacks commits of the base is not merged, and one that was brought up to it is', async () => {
  const { number, base } = await pullOf()
  await commitTo(base, `new-in-${base.replace('/', '-')}`)
  await protect({ block_on_outdated_branch: true })
  expect(await merge(number)).toBe('405 The head branch is behind the base branch')
  expect((await ada.post(`${home}/pulls/${number}/update`)).status).toBe(200)
  expect(await merge(number)).toBe('merged')
})

test('protected files are not changed by merges', async () => {
  const [{ number }, fine] = [await pullOf('src/fine.txt', 'CI/deploy.yml'), await pullOf('src/ci.txt')]
  await protect({ protected_file_patterns: 'ci/**' })
  expect(await merge(number)).toBe('405 Changed protected files: CI/deploy.yml')
  expect(await merge(fine.number, {}, 'bob')).toBe('merged')
})

test('a file that a merge carries into a protected directory is one, too', async () => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')
  const [base, head] = ['to/renamed', 'from-renamed']
  await branch(base, 'main')
  await commitTo(base, 'plain.txt', text)
  await branch(head, base)
  const { sha } = (await ada.get<{ sha: string }>(`${home}/contents/plain.txt?ref=${base}`)).body
  await ada.post(`${home}/contents`, { branch: base, files: [{ operation: 'rename', from_path: 'plain.txt', path: 'ci/plain.txt', sha }] })
  await ada.put(`${home}/contents/plain.txt`, { branch: head, content: btoa(`${text}more\n`), sha })
  const { number } = (await ada.post<PullRequest>(`${home}/pulls`, { title: 'Carry', head, base })).body
  await protect({ protected_file_patterns: 'ci/**' })
  expect(await merge(number)).toStartWith('409 PushRejected with remote message: branch to/renamed is protected from changing file ci/plain.txt')
  expect(await merge(number, { force_merge: true })).toBe('merged')
})

test('administrators pass over what is asked when they say so, unless the rule is for them too', async () => {
  const { number } = await pullOf('ci/x.yml')
  const rule = { enable_status_check: true, protected_file_patterns: 'ci/**', required_approvals: 1, block_on_outdated_branch: true }
  await protect({ ...rule, block_admin_merge_override: true })
  expect(await merge(number, { force_merge: true })).toStartWith('405 Not all required')
  await protect(rule)
  expect(await merge(number, { force_merge: true }, 'bob')).toStartWith('405 Not all required')
  expect(await merge(number, {})).toStartWith('405 Not all required')
  expect(await merge(number, { force_merge: true })).toBe('merged')
})

test('who is on the list for it passes over as well, whoever else may not', async () => {
  const { number } = await pullOf('ci/x.yml')
  const rule = { enable_status_check: true, protected_file_patterns: 'ci/**', block_admin_merge_override: true }
  await protect({ ...rule, enable_bypass_allowlist: true, bypass_allowlist_usernames: ['cy'] })
  expect(await merge(number, { force_merge: true }, 'bob')).toStartWith('405')
  expect(await merge(number, { force_merge: true })).toStartWith('405')
  expect(await merge(number, {}, 'cy')).toStartWith('405')
  expect(await merge(number, { force_merge: true }, 'cy')).toBe('merged')
})

test.each(['merge', 'squash', 'rebase', 'rebase-merge', 'fast-forward-only'])(
  'where commits must be signed, %s brings no others, with force neither',
  async (style) => {
    const { number, base } = await pullOf()
    const before = await tipOf(base)
    await protect({ require_signed_commits: true })
    expect(await merge(number, { do: style, force_merge: true })).toMatch(
      /^405 This branch requires signed commits|^409 PushRejected .* from unverified commit/,
    )
    expect([await tipOf(base), await isMerged(number)]).toEqual([before, false])
  },
)

/** Does something when a merge is made and has not yet landed. */
async function between<T>(happening: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const { finders } = forge.context.services.get(RefHooks)
  let isDone = false
  const find = async () => {
    if (!isDone) await happening()
    isDone = true
  }
  finders.push({ guard: {}, find })
  try {
    return await work()
  } finally {
    finders.pop()
  }
}

test.each<[string, object, string]>([
  ['a list', { enable_merge_whitelist: true, merge_whitelist_usernames: ['bob'] }, '405 User not allowed to merge PR'],
  ['checks', { enable_status_check: true, status_check_contexts: ['ci'] }, '405 Not all required status checks successful'],
  ['approvals', { required_approvals: 1 }, '405 Does not have enough approvals'],
  ['protected files', { protected_file_patterns: 'src/**' }, '409 PushRejected with remote message: branch'],
  ['signed commits', { require_signed_commits: true }, '405 This branch requires signed commits'],
])('a rule about %s that is made while the merge is under way forbids it', async (_, rule, told) => {
  const { number, base } = await pullOf()
  const before = await tipOf(base)
  expect(
    await between(
      () => protect(rule),
      () => merge(number),
    ),
  ).toStartWith(told)
  expect([await tipOf(base), await isMerged(number)]).toEqual([before, false])
})

test('a rule about outdated branches that is made while the merge is under way forbids it', async () => {
  const { number, base } = await pullOf()
  await commitTo(base, `later-${number}`)
  expect(
    await between(
      () => protect({ block_on_outdated_branch: true }),
      () => merge(number),
    ),
  ).toBe('405 The head branch is behind the base branch')
  expect(await isMerged(number)).toBe(false)
})

test('a check that fails while the merge is under way forbids it', async () => {
  const { number, head } = await pullOf()
  await protect({ enable_status_check: true, status_check_contexts: ['ci'] })
  await say(head, 'success', 'ci')
  expect(
    await between(
      () => say(head, 'failure', 'ci'),
      () => merge(number),
    ),
  ).toStartWith('405 Not all required')
  expect(await isMerged(number)).toBe(false)
  await say(head, 'success', 'ci')
  expect(await merge(number)).toBe('merged')
})

const schedule = async (index: number, as = 'ada') =>
  (await forge.asUser(as).post(`${home}/pulls/${index}/merge`, { do: 'merge', merge_when_checks_succeed: true })).status

test('a scheduled merge waits for the checks that are required, and for no others', async () => {
  const { number, head } = await pullOf()
  await protect({ enable_status_check: true, status_check_contexts: ['ci/*'] })
  expect(await schedule(number, 'bob')).toBe(201)
  await say(head, 'failure', 'optional')
  await followStatuses(forge.context)
  expect(await isMerged(number)).toBe(false)
  await say(head, 'success', 'ci/unit')
  await followStatuses(forge.context)
  expect(await isMerged(number)).toBe(true)
})

test.each<[string, object]>([
  ['its asker is on no list', { enable_merge_whitelist: true, merge_whitelist_usernames: ['cy'] }],
  ['it changes protected files', { protected_file_patterns: 'src/**' }],
  ['it is outdated', { block_on_outdated_branch: true }],
  ['commits must be signed', { require_signed_commits: true }],
  ['a required check is missing', { enable_status_check: true, status_check_contexts: ['other'] }],
  ['an approval is missing', { required_approvals: 1 }],
])('a scheduled merge is not done while %s', async (_, rule) => {
  const { number, head, base } = await pullOf()
  await commitTo(base, `later-${number}`)
  expect(await schedule(number, 'bob')).toBe(201)
  await protect(rule)
  await say(head, 'success', 'ci')
  await followStatuses(forge.context)
  expect(await isMerged(number)).toBe(false)
})

test('a head that a rule keeps is neither updated nor deleted, and the merge stands', async () => {
  const { number, name, base } = await pullOf()
  await commitTo(base, `later-${number}`)
  await ada.post(`${home}/branch_protections`, { rule_name: name })
  for (const style of ['merge', 'rebase']) expect((await ada.post(`${home}/pulls/${number}/update?style=${style}`)).status).toBe(403)
  expect(await merge(number, { delete_branch_after_merge: true })).toBe('merged')
  expect(await tipOf(name)).toHaveLength(40)
  await ada.delete(`${home}/branch_protections/${name}`)
})

test('a pull request that is given another base is judged by the rule of that one', async () => {
  const { number } = await pullOf()
  await protect({ enable_status_check: true })
  await branch(`free-${number}`, 'main')
  await ada.patch(`${home}/pulls/${number}`, { base: `free-${number}` })
  await commitTo(`free-${number}`, `there-${number}`)
  expect(await merge(number)).toBe('merged')
})

test('a fork is not brought up to date where its rules forbid it', async () => {
  await cy.post('/repos/ada/engine/forks', { name: 'mine' })
  await commitTo('main', 'ci/of-upstream.yml')
  const rules = '/repos/cy/mine/branch_protections'
  const sync = async () => (await cy.post('/repos/cy/mine/merge-upstream', { branch: 'main' })).status
  for (const rule of [{}, { enable_push: true, protected_file_patterns: 'ci/**' }, { enable_push: true, require_signed_commits: true }]) {
    await cy.post(rules, { rule_name: 'main', ...rule })
    expect(await sync()).toBe(403)
    await cy.delete(`${rules}/main`)
  }
  expect(await sync()).toBe(200)
})
