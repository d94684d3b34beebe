import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import type { BranchProtection } from './schema.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
const AT = '/ada/engine/settings/branches'
const forge = testForge()
let ada: Person
let hers: TestBrowser

const read = async () => (await forge.asUser(ada).get<BranchProtection[]>('/repos/ada/engine/branch_protections')).body
/** As the form stands before anything is changed. */
const fresh = {
  rule_name: 'main',
  pushing: 'nobody',
  force_pushing: 'nobody',
  merging: 'writers',
  approving: 'writers',
  bypassing: 'nobody',
  required_approvals: '0',
  push_whitelist_usernames: '',
  checks: '',
}

beforeAll(async () => {
  ada = await forge.person('ada')
  await forge.person('bob')
  await forge.person('carl')
  forge.repo(ada, 'engine')
  for (const name of ['bob', 'carl']) await forge.asUser(ada).put(`/repos/ada/engine/collaborators/${name}`, { permission: 'write' })
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('every field of the form is a field of the rule, and the form shows what was saved', async () => {
  const filled = {
    rule_name: 'release/{a,b}',
    pushing: 'listed',
    push_whitelist_usernames: 'bob, carl',
    push_whitelist_deploy_keys: 'true',
    force_pushing: 'listed',
    force_push_allowlist_usernames: 'bob',
    force_push_allowlist_deploy_keys: 'true',
    merging: 'listed',
    merge_whitelist_usernames: 'carl',
    approving: 'listed',
    approvals_whitelist_username: 'carl',
    bypassing: 'listed',
    bypass_allowlist_usernames: 'bob',
    required_approvals: '2',
    enable_status_check: 'true',
    checks: 'ci/{a,b}\r\n\r\nlint *',
    block_on_rejected_reviews: 'true',
    block_on_official_review_requests: 'true',
    block_on_outdated_branch: 'true',
    dismiss_stale_approvals: 'true',
    ignore_stale_approvals: 'true',
    require_signed_commits: 'true',
    protected_file_patterns: '*.lock;docs/**',
    unprotected_file_patterns: 'notes/*',
    block_admin_merge_override: 'true',
  }
  expect((await hers.post(AT, filled)).status).toBe(303)
  const [rule] = await read()
  expect(rule).toMatchObject({
    rule_name: 'release/{a,b}',
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ['bob', 'carl'],
    push_whitelist_deploy_keys: true,
    enable_force_push: true,
    enable_force_push_allowlist: true,
    force_push_allowlist_usernames: ['bob'],
    force_push_allowlist_deploy_keys: true,
    enable_merge_whitelist: true,
    merge_whitelist_usernames: ['carl'],
    enable_approvals_whitelist: true,
    approvals_whitelist_username: ['carl'],
    enable_bypass_allowlist: true,
    bypass_allowlist_usernames: ['bob'],
    required_approvals: 2,
    enable_status_check: true,
    status_check_contexts: ['ci/{a,b}', 'lint *'],
    block_on_rejected_reviews: true,
    block_on_official_review_requests: true,
    block_on_outdated_branch: true,
    dismiss_stale_approvals: true,
    ignore_stale_approvals: true,
    require_signed_commits: true,
    protected_file_patterns: '*.lock;docs/**',
    unprotected_file_patterns: 'notes/*',
    block_admin_merge_override: true,
  })
  const { text } = await hers.get(`${AT}/edit?rule_name=release%2F%7Ba%2Cb%7D`)
  const ticked = [...text.matchAll(/type="(?:checkbox|radio)" name="([^"]+)" value="([^"]+)" checked/g)].map(([, name, value]) => [name, value])
  const expected = Object.entries(filled).filter(([, value]) => ['true', 'listed'].includes(value))
  expect(ticked.toSorted()).toEqual(expected.toSorted())
  for (const value of ['bob, carl', '*.lock;docs/**', 'notes/*']) expect(text).toContain(`value="${value}"`)
  expect(text).toContain('ci/{a,b}\nlint *')
  await hers.post(`${AT}/edit`, { ...fresh, rule_name: 'release/{a,b}' })
  const [emptied] = await read()
  expect(emptied).toMatchObject({
    enable_push: false,
    push_whitelist_usernames: [],
    status_check_contexts: [],
    required_approvals: 0,
    protected_file_patterns: '',
  })
  await hers.post(`${AT}/delete`, { rule_name: 'release/{a,b}' })
  expect(await read()).toEqual([])
})

test('rules are asked earlier by a button, the first and the last too', async () => {
  for (const rule_name of ['a', 'b', 'c']) await hers.post(AT, { ...fresh, rule_name })
  const names = async () => (await read()).map((rule) => rule.rule_name)
  await hers.post(`${AT}/earlier`, { rule_name: 'c' })
  expect(await names()).toEqual(['a', 'c', 'b'])
  await hers.post(`${AT}/earlier`, { rule_name: 'a' })
  await hers.post(`${AT}/earlier`, { rule_name: 'c' })
  expect(await names()).toEqual(['c', 'a', 'b'])
  expect((await hers.post(`${AT}/earlier`, { rule_name: 'absent' })).status).toBe(404)
})

test('what was typed survives a refusal, and nothing that was typed runs', async () => {
  const refused = await hers.post(AT, { ...fresh, rule_name: 'x', pushing: 'listed', push_whitelist_usernames: `bob, ${ATTACK}`, checks: ATTACK })
  expect([refused.status, refused.text.includes('value="bob, &quot;&gt;&lt;script&gt;')]).toEqual([422, true])
  expect(refused.text).toContain('value="listed" checked')
  expect((await hers.post(AT, { ...fresh, rule_name: 'a' })).status).toBe(403)
  await hers.post(AT, { ...fresh, rule_name: ATTACK })
  for (const page of [refused, await hers.get(AT), await hers.get(`${AT}/edit?rule_name=${encodeURIComponent(ATTACK)}`)]) {
    expect(page.text).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i)
  }
})

test('others neither see nor change the rules, nor do other sites; an archived repository keeps them', async () => {
  const his = new TestBrowser(forge, await forge.person('dan'))
  for (const path of [AT, `${AT}/new`, `${AT}/edit?rule_name=a`]) expect((await his.get(path)).status).toBe(403)
  expect((await his.post(AT, fresh)).status).toBe(403)
  expect((await hers.post(AT, fresh, undefined, { Origin: 'https://evil.example' })).status).toBe(403)
  await forge.asUser(ada).patch('/repos/ada/engine', { archived: true })
  expect((await hers.post(`${AT}/delete`, { rule_name: 'a' })).status).toBe(423)
})
