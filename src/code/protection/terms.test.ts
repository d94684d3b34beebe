import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { SHA1 } from '#git/objects/oid.ts'
import { findRef, updateRefs } from '#repositories/refs/index.ts'
import { testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'

const at = '/repos/ada/it'
const forge = testForge()
const ada = forge.asUser('ada')
let made = 0
beforeAll(async () => {
  await repositoryWithPeople(forge, { bob: 'write' }, { name: 'it' })
})
afterAll(() => forge[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const name of await rules()) await ada.delete(`${at}/branch_protections/${encodeURIComponent(name)}`)
})

const rules = async () => (await ada.get<{ rule_name: string }[]>(`${at}/branch_protections`)).body.map((rule) => rule.rule_name)
const protect = (rule_name: string, body: object = {}) => ada.post(`${at}/branch_protections`, { rule_name, ...body })
const rename = async (from: string, to: string, as = 'ada') => {
  const { status, body } = await forge.asUser(as).patch<{ message?: string }>(`${at}/branches/${from}`, { name: to })
  return status === 204 ? 'renamed' : `${status} ${body.message}`
}
const branch = async (name = `side-${++made}`) => {
  await ada.post(`${at}/branches`, { new_branch_name: name })
  return name
}

const admins = '403 User must be a repo or site admin to rename default or protected branches.'
const forbidden = '403 Failed to rename branch due to branch protection rules.'

describe('a branch is renamed', () => {
  test('with its own rule by who administers it, and the rule goes along', async () => {
    const name = await branch()
    await protect(name, { required_approvals: 3 })
    expect(await rename(name, 'x', 'bob')).toBe(admins)
    expect(await rename(name, 'new/name')).toBe('renamed')
    expect(await rules()).toEqual(['new/name'])
    expect((await forge.get(`${at}/branches/new/name`)).body).toMatchObject({ protected: true, required_approvals: 3 })
    expect(await rename('new/name', await `${name}-back`)).toBe('renamed')
  })

  test('not when a glob protects it', async () => {
    const name = await branch('glob/a')
    await protect('glob/*', { enable_push: true })
    expect([await rename(name, 'elsewhere'), await rename(name, 'elsewhere', 'bob')]).toEqual([forbidden, forbidden])
    await protect('glob/a', { priority: 9 })
    expect(await rename(name, 'elsewhere')).toBe(forbidden)
  })

  test('to a name that is under a rule by who may push there', async () => {
    const [one, two, three] = [await branch(), await branch(), await branch()]
    await protect('kept/**', { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['bob'] })
    expect(await rename(one, 'kept/1')).toBe(forbidden)
    expect(await rename(two, 'kept/2', 'bob')).toBe('renamed')
    await protect(one)
    await protect('taken', { enable_push: true })
    expect([await rename(one, 'taken'), await rename(three, 'taken')]).toEqual([forbidden, 'renamed'])
  })
})

describe('the record of a branch', () => {
  const record = async (name: string, as?: string) => (await forge.asUser(as).get(`${at}/branches/${name}`)).body
  test('says what its reader may do, and the name of the rule to administrators alone', async () => {
    const name = await branch()
    await protect(name, {
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['bob'],
      enable_merge_whitelist: true,
      merge_whitelist_usernames: ['ada'],
      enable_status_check: true,
      status_check_contexts: ['ci'],
      required_approvals: 2,
    })
    const same = { protected: true, required_approvals: 2, enable_status_check: true, status_check_contexts: ['ci'] }
    expect(await record(name, 'ada')).toMatchObject({ ...same, user_can_push: false, user_can_merge: true, effective_branch_protection_name: name })
    expect(await record(name, 'bob')).toMatchObject({ ...same, user_can_push: true, user_can_merge: false, effective_branch_protection_name: '' })
    expect(await record(name)).toMatchObject({ ...same, user_can_push: false, user_can_merge: false, effective_branch_protection_name: '' })
    const { body } = await forge.asUser('bob').get<{ name: string; protected: boolean }[]>(`${at}/branches?limit=50`)
    expect(body.filter((one) => one.protected).map((one) => one.name)).toEqual([name])
    expect(await record('main', 'bob')).toMatchObject({ protected: false, status_check_contexts: [], user_can_push: true, user_can_merge: true })
  })

  test('says that nobody can in an archived repository', async () => {
    await protect('main', { enable_push: true })
    await ada.patch(at, { archived: true })
    expect(await record('main', 'ada')).toMatchObject({ protected: true, user_can_push: false, user_can_merge: false })
    await ada.patch(at, { archived: false })
  })
})

test.each<[string, object, { update: boolean; force: boolean }]>([
  ['without a rule about pushes', {}, { update: false, force: false }],
  ['where all push', { enable_push: true, enable_force_push: true }, { update: true, force: true }],
  [
    'where a list does',
    { enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['ada'], enable_force_push: true },
    { update: false, force: false },
  ],
  ['where a list does, with deploy keys', { enable_push: true, enable_push_whitelist: true, push_whitelist_deploy_keys: true }, { update: true, force: false }],
  [
    'where a list forces',
    { enable_push: true, enable_force_push: true, enable_force_push_allowlist: true, force_push_allowlist_usernames: ['ada'] },
    { update: true, force: false },
  ],
  [
    'where a list forces, with deploy keys',
    { enable_push: true, enable_force_push: true, enable_force_push_allowlist: true, force_push_allowlist_deploy_keys: true },
    { update: true, force: true },
  ],
])('a deploy key pushes as the rule says, %s, whoever it stands for', async (_, rule, expected) => {
  const name = `refs/heads/${await branch()}`
  await protect(name.slice(11), rule)
  const { db } = forge.context
  const old = findRef(db, 1, name)?.oid
  await ada.post(`${at}/contents/key-${made}`, { content: 'eA==', branch: 'main', new_branch: `other-${made}` })
  const to = findRef(db, 1, `refs/heads/other-${made}`)?.oid ?? SHA1.zero
  const moves = (fastForward: boolean) =>
    db.tx((tx) => {
      const [result] = updateRefs(forge.context, tx, {
        repoId: 1,
        actorId: 1,
        byDeployKey: true,
        message: 'push',
        updates: [{ name, old, new: to, fastForward }],
      })
      tx.run('UPDATE ref SET oid = ? WHERE name = ?', old ?? '', name)
      return result?.ok
    })
  expect({ update: moves(true), force: moves(false) }).toEqual(expected as never)
})

test('the API says in Gitea’s words what it does not commit', async () => {
  await protect('main', { unprotected_file_patterns: 'docs/**' })
  const write = async (path: string, more: object = {}) => {
    const body = { content: 'eA==', branch: 'main', ...more }
    return (await ada.post<{ message: string }>(`${at}/contents/${path}`, body)).body.message
  }
  expect(await write('src/a')).toBe('user cannot commit to repo [user: ada]')
  expect(await write('docs/a')).toBeUndefined()
  await ada.patch(`${at}/branch_protections/main`, { enable_push: true, protected_file_patterns: 'src/**' })
  expect(await write('src/a')).toBe('path is protected and can not be changed [path: src/a]')
  const other = { branch: 'main', new_branch: await branch(), force_push: true }
  await protect(other.new_branch)
  expect(await write('x', other)).toBe(`branch ${other.new_branch} is protected from force push`)
  expect((await ada.delete(`${at}/branches/${other.new_branch}`)).body).toMatchObject({ message: 'branch protected' })
  expect((await ada.delete(`${at}/branches/main`)).body).toMatchObject({
    message: 'can not delete default or pull request target branch',
  })
})
