import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import { ruleFor } from './find-rule.ts'
import type { BranchProtection } from './schema.ts'

const at = '/repos/ada/it/branch_protections'
const forge = testForge()
const ada = forge.asUser('ada')
beforeAll(async () => {
  await repositoryWithPeople(forge, { bob: 'write', cy: 'read', eve: 'none' }, { name: 'it' })
})
afterAll(() => forge[Symbol.asyncDispose]())
beforeEach(async () => {
  const { body } = await ada.get<BranchProtection[]>(at)
  for (const { rule_name: name } of body) await ada.delete(`${at}/${encodeURIComponent(name)}`)
})

const make = (body: unknown, as = 'ada', path = at) => forge.asUser(as).post<BranchProtection & { message: string }>(path, body)
const edit = (name: string, body: unknown) => ada.patch<BranchProtection & { message: string }>(`${at}/${name}`, body)
const names = async () => (await ada.get<BranchProtection[]>(at)).body.map(({ rule_name }) => rule_name)

const fresh = {
  priority: 1,
  enable_push: false,
  enable_push_whitelist: false,
  push_whitelist_usernames: [],
  push_whitelist_teams: [],
  push_whitelist_deploy_keys: false,
  enable_force_push: false,
  enable_force_push_allowlist: false,
  force_push_allowlist_usernames: [],
  force_push_allowlist_teams: [],
  force_push_allowlist_deploy_keys: false,
  enable_merge_whitelist: false,
  merge_whitelist_usernames: [],
  merge_whitelist_teams: [],
  enable_bypass_allowlist: false,
  bypass_allowlist_usernames: [],
  bypass_allowlist_teams: [],
  enable_status_check: false,
  status_check_contexts: [],
  required_approvals: 0,
  enable_approvals_whitelist: false,
  approvals_whitelist_username: [],
  approvals_whitelist_teams: [],
  block_on_rejected_reviews: false,
  block_on_official_review_requests: false,
  block_on_outdated_branch: false,
  dismiss_stale_approvals: false,
  ignore_stale_approvals: false,
  require_signed_commits: false,
  protected_file_patterns: '',
  unprotected_file_patterns: '',
  block_admin_merge_override: false,
}

describe('making a rule', () => {
  test('answers all of it, under the name of a branch or of a glob', async () => {
    expect(await make({ rule_name: 'main' })).toMatchObject({ status: 201, body: { ...fresh, rule_name: 'main', branch_name: 'main' } })
    expect(await make({ branch_name: 'old' })).toMatchObject({ status: 201, body: { rule_name: 'old', branch_name: 'old', priority: 2 } })
    expect(await make({ rule_name: 'rel/**', branch_name: 'x' })).toMatchObject({ status: 201, body: { rule_name: 'rel/**', branch_name: '' } })
    expect(await names()).toEqual(['main', 'old', 'rel/**'])
    expect((await ada.get(`${at}/rel/**`)).body).toMatchObject({ rule_name: 'rel/**' })
    expect((await ada.get(`${at}/rel%2F**`)).body).toMatchObject({ rule_name: 'rel/**' })
  })

  test('keeps every field that it is given', async () => {
    const body = {
      priority: 7,
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['Bob'],
      push_whitelist_deploy_keys: true,
      enable_force_push: true,
      enable_force_push_allowlist: true,
      force_push_allowlist_usernames: ['ada', 'bob'],
      force_push_allowlist_deploy_keys: true,
      enable_merge_whitelist: true,
      merge_whitelist_usernames: ['bob'],
      enable_bypass_allowlist: true,
      bypass_allowlist_usernames: ['bob'],
      enable_status_check: true,
      status_check_contexts: ['ci/*', 'lint'],
      required_approvals: 2,
      enable_approvals_whitelist: true,
      approvals_whitelist_username: ['cy'],
      block_on_rejected_reviews: true,
      block_on_official_review_requests: true,
      block_on_outdated_branch: true,
      dismiss_stale_approvals: true,
      ignore_stale_approvals: true,
      require_signed_commits: true,
      protected_file_patterns: 'a;b',
      unprotected_file_patterns: 'docs/**',
      block_admin_merge_override: true,
    }
    expect((await make({ rule_name: 'x', ...body })).body).toMatchObject({ ...body, push_whitelist_usernames: ['bob'] })
  })

  test.each<[string, object, number, string]>([
    ['without a name', {}, 400, 'both rule_name and branch_name are empty'],
    ['with empty names', { rule_name: '', branch_name: '' }, 400, 'both rule_name and branch_name are empty'],
    ['of a name that is there', { rule_name: 'main' }, 403, 'Branch protection already exist'],
    ['with somebody unknown', { rule_name: 'x', push_whitelist_usernames: ['nobody'] }, 422, 'user does not exist [name: nobody]'],
    ['with a list of numbers', { rule_name: 'x', merge_whitelist_usernames: [1] }, 422, ''],
  ])('%s is refused', async (_, body, status, message) => {
    await make({ rule_name: 'main' })
    const refused = await make(body)
    expect([refused.status, refused.body.message]).toEqual([status, expect.stringContaining(message)])
    expect(await names()).toEqual(['main'])
  })

  test('leaves out who could not do it anyway, and what belongs to what is off', async () => {
    const people = ['ada', 'cy', 'eve']
    const lists = { push_whitelist_usernames: people, merge_whitelist_usernames: people, approvals_whitelist_username: people }
    const { body } = await make({ rule_name: 'x', ...lists, enable_push_whitelist: true, enable_force_push: true, required_approvals: -3 })
    expect(body).toMatchObject({ push_whitelist_usernames: ['ada'], merge_whitelist_usernames: ['ada'], approvals_whitelist_username: people })
    expect(body).toMatchObject({ enable_push_whitelist: false, enable_force_push: false, required_approvals: 0 })
    expect((await make({ rule_name: 'y', push_whitelist_teams: ['none'] })).body).toMatchObject({ push_whitelist_teams: [] })
  })

  test('is for those who administer the repository, and not while it is archived', async () => {
    expect((await make({ rule_name: 'x' }, 'bob')).status).toBe(403)
    expect((await forge.asUser('bob').get(at)).status).toBe(403)
    expect((await make({ rule_name: 'x' })).status).toBe(201)
    await ada.patch('/repos/ada/it', { archived: true })
    expect((await make({ rule_name: 'y' })).status).toBe(423)
    expect((await edit('x', {})).status).toBe(423)
    expect((await ada.post(`${at}/priority`, { ids: [1] })).status).toBe(423)
    expect((await ada.delete(`${at}/x`)).status).toBe(423)
    await ada.patch('/repos/ada/it', { archived: false })
  })
})

describe('editing a rule', () => {
  test('keeps what is left out, and takes the whitelist away with the pushes', async () => {
    await make({ rule_name: 'main', enable_push: true, enable_push_whitelist: true, push_whitelist_usernames: ['bob'], push_whitelist_deploy_keys: true })
    expect((await edit('main', { required_approvals: 1 })).body).toMatchObject({ enable_push_whitelist: true, push_whitelist_usernames: ['bob'] })
    const off = { enable_push_whitelist: false, push_whitelist_deploy_keys: false, required_approvals: 1 }
    expect((await edit('main', { enable_push: false })).body).toMatchObject(off)
    expect((await edit('main', { push_whitelist_usernames: [] })).body).toMatchObject({ push_whitelist_usernames: [], required_approvals: 1 })
    expect((await edit('main', { status_check_contexts: ['a', 'a'], priority: 9 })).body).toMatchObject({ status_check_contexts: ['a'], priority: 9 })
  })

  test('is 404 for a name that is not there, 422 for somebody unknown', async () => {
    expect((await edit('main', {})).status).toBe(404)
    await make({ rule_name: 'main' })
    expect((await edit('MAIN', {})).status).toBe(404)
    expect((await edit('main', { bypass_allowlist_usernames: ['nobody'] })).status).toBe(422)
    expect((await ada.delete(`${at}/x`)).status).toBe(404)
    expect((await ada.delete(`${at}/main`)).status).toBe(204)
  })
})

describe('which rule holds for a branch', () => {
  const repoId = () => forge.context.db.find<{ id: number }>("SELECT id FROM repository WHERE lower_name = 'it'")?.id as number
  const ruleOf = (branch: string) => ruleFor(forge.context.db, repoId(), branch)?.rule_name
  const idOf = (name: string) => forge.context.db.find<{ id: number }>('SELECT id FROM branch_protection WHERE rule_name = ?', name)?.id as number

  test('is the first one by priority, exact names before globs, the oldest first', async () => {
    for (const rule_name of ['**', 'main', 'rel/*', '{b,a}']) await make({ rule_name, priority: 1 })
    expect(['main', 'MAIN', 'rel/1', 'rel/1/2', 'b'].map(ruleOf)).toEqual(['main', 'main', '**', '**', '**'])
    await edit('**', { priority: 2 })
    expect(['main', 'rel/1', 'rel/1/2', 'b', 'c'].map(ruleOf)).toEqual(['main', 'rel/*', '**', '{b,a}', '**'])
    const ids = ['**', 'rel/*', 'main'].map(idOf)
    expect((await ada.post(`${at}/priority`, { ids: [...ids, 99_999] })).status).toBe(204)
    expect(await names()).toEqual(['**', '{b,a}', 'rel/*', 'main'])
    expect(ruleOf('main')).toBe('**')
    await ada.delete(`${at}/**`)
    expect(['main', 'c'].map(ruleOf)).toEqual(['main', undefined])
  })

  test('an order that names rules of other repositories changes none of theirs', async () => {
    await forge.asUser('eve').post('/user/repos', { name: 'hers', auto_init: true })
    await make({ rule_name: 'hers', priority: 5 }, 'eve', '/repos/eve/hers/branch_protections')
    await ada.post(`${at}/priority`, { ids: [idOf('hers')] })
    expect((await forge.asUser('eve').get('/repos/eve/hers/branch_protections/hers')).body).toMatchObject({ priority: 5 })
  })
})

describe('the lists of a rule', () => {
  test('lose who loses access or the account, and teams that lose the repository', async () => {
    await forge.person('fay')
    await ada.put('/repos/ada/it/collaborators/fay', { permission: 'write' })
    await make({ rule_name: 'main', push_whitelist_usernames: ['bob', 'fay'], enable_push: true })
    await ada.delete('/repos/ada/it/collaborators/fay')
    expect((await edit('main', {})).body.push_whitelist_usernames).toEqual(['bob'])

    await ada.post('/orgs', { username: 'crew' })
    const team = async (name: string) => (await ada.post<{ id: number }>('/orgs/crew/teams', { name, permission: 'write', units: ['repo.code'] })).body.id
    const [crewers, others] = [await team('Crewers'), await team('Others')]
    await ada.post('/orgs/crew/repos', { name: 'ship', auto_init: true })
    for (const id of [crewers, others]) await ada.put(`/teams/${id}/repos/crew/ship`)
    await team('Elsewhere')
    const there = '/repos/crew/ship/branch_protections'
    expect((await make({ rule_name: 'x', push_whitelist_teams: ['none'] }, 'ada', there)).status).toBe(422)
    const teams = ['crewers', 'others', 'elsewhere']
    const made = await make({ rule_name: 'main', enable_push: true, push_whitelist_teams: teams, approvals_whitelist_teams: teams }, 'ada', there)
    expect(made.body).toMatchObject({ push_whitelist_teams: ['Crewers', 'Others'], approvals_whitelist_teams: ['Crewers', 'Others'] })
    await ada.delete(`/teams/${others}/repos/crew/ship`)
    expect((await ada.get(`${there}/main`)).body).toMatchObject({ push_whitelist_teams: ['Crewers'] })
    await ada.delete(`/teams/${crewers}`)
    expect((await ada.get(`${there}/main`)).body).toMatchObject({ push_whitelist_teams: [], approvals_whitelist_teams: [] })
  })
})
