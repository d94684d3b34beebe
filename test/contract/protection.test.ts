import { beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import type { Api } from 'gitea-js'
import { commitFiles, forgeForStories, newWorkingCopy, story } from '../e2e/forge.ts'
import { git } from '../git.ts'
import { testsInOrder } from '../in-order.ts'
import { client, statusOf } from './client.ts'

const test = testsInOrder()

story('gitea-js protects branches', () => {
  const forge = forgeForStories()
  let ada: Api<unknown>

  beforeAll(async () => {
    ada = client(forge.server.origin, { token: forge.ada.token })
    const copy = await newWorkingCopy(join(forge.directory, 'copy'))
    await commitFiles(copy, 'Start', { 'README.md': '# Engine\n' })
    await git(['push', '--quiet', forge.url('ada/engine', forge.ada), 'main', 'main:release/1'], { cwd: copy })
  })

  test('makes, lists, reads, changes, orders and deletes rules', async () => {
    const { repos } = ada
    const made = await repos.repoCreateBranchProtection('ada', 'engine', { rule_name: 'main', enable_push: true, push_whitelist_usernames: ['ada'] })
    expect([made.status, made.data]).toMatchObject([201, { rule_name: 'main', branch_name: 'main', priority: 1, push_whitelist_usernames: ['ada'] }])
    await repos.repoCreateBranchProtection('ada', 'engine', { rule_name: 'release/*', required_approvals: 2, status_check_contexts: ['ci/*'] })
    expect(await statusOf(repos.repoCreateBranchProtection('ada', 'engine', { rule_name: 'main' }))).toBe(403)
    expect((await repos.repoListBranchProtection('ada', 'engine')).data.map(({ rule_name }) => rule_name)).toEqual(['main', 'release/*'])
    expect((await repos.repoGetBranchProtection('ada', 'engine', 'release/*')).data).toMatchObject({ required_approvals: 2, branch_name: '' })
    const edited = await repos.repoEditBranchProtection('ada', 'engine', 'release/*', { enable_status_check: true })
    expect(edited.data).toMatchObject({ enable_status_check: true, required_approvals: 2, status_check_contexts: ['ci/*'] })
    expect((await repos.repoUpdateBranchProtectionPriories('ada', 'engine', { ids: [2, 1] })).status).toBe(204)
    expect((await repos.repoListBranchProtection('ada', 'engine')).data.map(({ rule_name }) => rule_name)).toEqual(['release/*', 'main'])
  })

  test('reads in the record of a branch what its rule says', async () => {
    expect((await ada.repos.repoGetBranch('ada', 'engine', 'release/1')).data).toMatchObject({
      protected: true,
      effective_branch_protection_name: 'release/*',
      required_approvals: 2,
      enable_status_check: true,
      status_check_contexts: ['ci/*'],
      user_can_push: false,
      user_can_merge: true,
    })
    expect(await statusOf(ada.repos.repoDeleteBranch('ada', 'engine', 'release/1'))).toBe(403)
    expect((await ada.repos.repoDeleteBranchProtection('ada', 'engine', 'release/*')).status).toBe(204)
    expect((await ada.repos.repoGetBranch('ada', 'engine', 'release/1')).data).toMatchObject({ protected: false, status_check_contexts: [] })
    expect((await ada.repos.repoDeleteBranch('ada', 'engine', 'release/1')).status).toBe(204)
    expect(await statusOf(ada.repos.repoGetBranchProtection('ada', 'engine', 'release/*'))).toBe(404)
  })
})
