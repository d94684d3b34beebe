import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createToken } from '#people/users/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import referenceRights from '../issues/16_reference_rights.sql' with { type: 'text' }
import { followPushes } from './follow-pushes.ts'

/** `ada` maintains ada/engine, which `alice` has a fork of. `alice` owns alice/pub, and alice/shared, where ada can write. */
const forge = testForge()
const people = new Map<string, Person>()
let made = 0

beforeAll(async () => {
  for (const name of ['ada', 'alice']) people.set(name, await forge.person(name))
  for (const [as, name, isPrivate] of [
    ['ada', 'engine', false],
    ['ada', 'other', false],
    ['ada', 'secret', true],
    ['alice', 'pub', false],
    ['alice', 'shared', false],
  ] as const)
    await call('POST /user/repos', as, { name, private: isPrivate, auto_init: true, default_branch: 'main' })
  await call('POST /repos/ada/engine/forks', 'alice', {})
  await call('PUT /repos/alice/shared/collaborators/ada', 'alice', { permission: 'write' })
})
afterAll(() => forge[Symbol.asyncDispose]())

async function call<T = { number: number }>(line: string, as: string, body?: unknown): Promise<T> {
  const reply = await forge.asUser(as).send<T>(line, { body })
  if (reply.status >= 300) throw new Error(`${line}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

const issue = async (repo: string, as: string) => `${repo}#${(await call(`POST /repos/${repo}/issues`, as, { title: 'target' })).number}`
const pathOf = (name: string) => `/repos/${name.replace('#', '/issues/')}`
const stateOf = async (name: string) => (await call<{ state: string }>(`GET ${pathOf(name)}`, name.split('/')[0] as string)).state
const isNamed = async (name: string) =>
  ((await call<{ type: string }[] | null>(`GET ${pathOf(name)}/timeline`, name.split('/')[0] as string)) ?? []).some(({ type }) => type.endsWith('_ref'))

/** Commits a new file, on a new branch if there is one. */
async function commit(as: string, repo: string, message: string, branch?: string): Promise<void> {
  const place = branch === undefined ? { branch: 'main' } : { branch: 'main', new_branch: branch }
  await call(`POST /repos/${repo}/contents/file-${++made}.txt`, as, { content: 'YQ==', message, ...place })
  await followPushes(forge.context)
}

/** A pull request of alice's from her fork. */
async function pullOf({ message = 'Change', body = '' }): Promise<number> {
  const branch = `topic-${++made}`
  await commit('alice', 'alice/engine', message, branch)
  return (await call('POST /repos/ada/engine/pulls', 'alice', { title: 'Topic', body, head: `alice:${branch}`, base: 'main' })).number
}

async function merge(number: number, style = 'rebase'): Promise<void> {
  await call(`POST /repos/ada/engine/pulls/${number}/merge`, 'ada', { do: style })
  await followPushes(forge.context)
}

/** Tokens of ada's that may not write to other repositories, or not to private ones. */
function narrowTokens(): { limited: string; publicOnly: string; noIssues: string } {
  const { row } = people.get('ada') as Person
  const limits = { repositories: [{ owner: 'ada', name: 'engine' }] }
  const limited = createToken(forge.context, row, crypto.randomUUID(), ['write:repository', 'write:issue'], limits).token
  return { limited, publicOnly: forge.token('ada', 'all', 'public-only'), noIssues: forge.token('ada', 'write:repository') }
}

test('the text of a pull request closes and reopens issues elsewhere as its last writer may, in its own repository as who merges may', async () => {
  const [own, closing, reopening] = [await issue('ada/engine', 'ada'), await issue('alice/pub', 'alice'), await issue('alice/pub', 'alice')]
  await call(`PATCH ${pathOf(reopening)}`, 'alice', { state: 'closed' })
  const body = `closes ${own}, closes ${closing}, reopens ${reopening}`
  const byMaintainer = await pullOf({ body: 'Nothing' })
  await call(`PATCH /repos/ada/engine/pulls/${byMaintainer}`, 'ada', { body })
  await merge(byMaintainer)
  expect([await stateOf(own), await stateOf(closing), await stateOf(reopening)]).toEqual(['closed', 'open', 'closed'])
  await call(`PATCH ${pathOf(own)}`, 'ada', { state: 'open' })
  await merge(await pullOf({ body }))
  expect([await stateOf(own), await stateOf(closing), await stateOf(reopening)]).toEqual(['closed', 'closed', 'open'])
  const events = await call<{ type: string; user: { login: string } }[]>(`GET ${pathOf(closing)}/timeline`, 'alice')
  expect(events.filter(({ type }) => type === 'close').map(({ user }) => user.login)).toEqual(['alice'])
})

test('rights that the last writer gets later, or loses, do not let the text act', async () => {
  const target = await issue('alice/pub', 'alice')
  const late = await pullOf({ body: 'Nothing' })
  await call(`PATCH /repos/ada/engine/pulls/${late}`, 'ada', { body: `closes ${target}` })
  await call('PUT /repos/alice/pub/collaborators/ada', 'alice', { permission: 'write' })
  await merge(late)
  expect(await stateOf(target)).toBe('open')
  const lost = await pullOf({ body: 'Nothing' })
  await call(`PATCH /repos/ada/engine/pulls/${lost}`, 'ada', { body: `closes ${target}` })
  await call('DELETE /repos/alice/pub/collaborators/ada', 'alice')
  await merge(lost)
  expect(await stateOf(target)).toBe('open')
})

test('commits and texts by a token neither name nor close what the token may not write to', async () => {
  const { limited, publicOnly, noIssues } = narrowTokens()
  for (const [token, repo] of [
    [limited, 'ada/other'],
    [limited, 'ada/secret'],
    [publicOnly, 'ada/secret'],
    [noIssues, 'ada/other'],
  ] as const) {
    const [own, target] = [await issue('ada/engine', 'ada'), await issue(repo, 'ada')]
    await commit(token, 'ada/engine', `closes ${own}, closes ${target}`)
    expect([await stateOf(own), await stateOf(target)]).toEqual(['closed', 'open'])
    const head = `token-${++made}`
    await commit(token, 'ada/engine', 'Change', head)
    const { number } = await call('POST /repos/ada/engine/pulls', token, { title: 'T', body: `closes ${target}`, head, base: 'main' })
    if (token !== noIssues) await call(`POST /repos/ada/engine/issues/${number}/comments`, token, { body: `see ${target}` })
    await merge(number)
    expect([await stateOf(target), await isNamed(target)]).toEqual(['open', false])
  }
  const quoted = await issue('alice/shared', 'alice')
  const edited = await pullOf({})
  await call(`PATCH /repos/ada/engine/pulls/${edited}`, limited, { title: `closes ${quoted}` })
  await merge(edited, 'merge')
  expect([await stateOf(quoted), await isNamed(quoted)]).toEqual(['open', false])
  const target = await issue('ada/secret', 'ada')
  await commit('ada', 'ada/engine', `closes ${target}`)
  expect([await stateOf(target), await isNamed(target)]).toEqual(['closed', true])
})

test('messages of commits that somebody else merges act elsewhere only where both may', async () => {
  const targets = [await issue('ada/secret', 'ada'), await issue('ada/other', 'ada'), await issue('alice/pub', 'alice'), await issue('alice/shared', 'alice')]
  const own = await issue('ada/engine', 'ada')
  const closing = [own, ...targets].map((name) => `closes ${name}`).join(', ')
  await merge(await pullOf({ message: closing }))
  expect(await Promise.all([own, ...targets].map(stateOf))).toEqual(['closed', 'open', 'open', 'open', 'closed'])
})

test('messages in a branch act elsewhere only where everyone who pushed to it may, with their tokens', async () => {
  const [byAda, byToken, byAlice, reverted] = await Promise.all(Array.from({ length: 4 }, () => issue('ada/other', 'ada')))
  const mergeHead = async (head: string) => merge((await call('POST /repos/ada/engine/pulls', 'ada', { title: 'Topic', head, base: 'main' })).number)
  await call('PUT /repos/ada/engine/collaborators/alice', 'ada', { permission: 'write' })
  await commit('ada', 'ada/engine', `closes ${byAda}`, 'by-ada')
  await commit(narrowTokens().limited, 'ada/engine', `closes ${byToken}`, 'by-token')
  await commit('alice', 'ada/engine', `closes ${byAlice}`, 'by-alice')
  await call(`POST /repos/ada/engine/contents/file-${++made}.txt`, 'ada', { content: 'YQ==', message: 'More', branch: 'by-alice', new_branch: 'on-top' })
  const number = await pullOf({})
  await call(`PATCH /repos/ada/engine/pulls/${number}`, 'alice', { title: `closes ${reverted}` })
  await merge(number)
  const revert = await new TestBrowser(forge, people.get('ada') as Person).post(`/ada/engine/pulls/${number}/revert`)
  for (const head of ['by-ada', 'by-token', 'on-top', revert.headers.get('location')?.split('...')[1] as string]) await mergeHead(head)
  expect(await Promise.all([byAda, byToken, byAlice, reverted].map((name) => stateOf(name as string)))).toEqual(['closed', 'open', 'open', 'open'])
})

test('without a stored grant, the messages of a merged head act in its base alone', async () => {
  const [own, target] = [await issue('ada/engine', 'ada'), await issue('alice/shared', 'alice')]
  const number = await pullOf({ message: `closes ${own}, closes ${target}` })
  forge.context.db.tx((tx) => tx.run('UPDATE pull SET acting = NULL WHERE issue_id = (SELECT max(issue_id) FROM pull)'))
  await merge(number)
  expect([await stateOf(own), await stateOf(target)]).toEqual(['closed', 'open'])
})

test('references that a former version stored act in their own repository alone after the upgrade', async () => {
  const [own, target] = [await issue('ada/engine', 'ada'), await issue('alice/pub', 'alice')]
  const number = await pullOf({ body: `closes ${own}, closes ${target}` })
  forge.context.db.tx((tx) => tx.run(referenceRights))
  await merge(number)
  expect([await stateOf(own), await stateOf(target)]).toEqual(['closed', 'open'])
})
