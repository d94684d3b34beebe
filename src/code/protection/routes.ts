import { Elysia, t } from 'elysia'
import { gate, noContent, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { addRule, deleteRule, editRule, getRule, orderRules } from './change-rules.ts'
import { sortRules } from './find-rule.ts'
import { BranchProtection, BranchProtectionList, CreateBranchProtectionOption, EditBranchProtectionOption, UpdateBranchProtectionPriories } from './schema.ts'
import { type BranchRule, listRules } from './store.ts'
import { presentRule } from './view.ts'

const RuleParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'name', description: 'name of the rule; may contain slashes' }) })

/** What may happen to which branches. */
export function protection(context: Context) {
  const present = (row: BranchRule) => presentRule(context.db, row)
  return new Elysia({ name: 'protection' })
    .use(gate(context))
    .get('/repos/:owner/:repo/branch_protections', ({ repo }) => sortRules(listRules(context.db, repo.row.id)).map(present), {
      repo: 'admin',
      params: RepoParams,
      response: { 200: BranchProtectionList },
      detail: operation('repoListBranchProtection', 'List branch protections for a repository', 'repository'),
    })
    .post('/repos/:owner/:repo/branch_protections', ({ viewer, repo, body }) => present(addRule(context, viewer, repo, body)), {
      repo: 'admin',
      params: RepoParams,
      body: CreateBranchProtectionOption,
      response: { 201: BranchProtection },
      detail: operation('repoCreateBranchProtection', 'Create a branch protection for a repository', 'repository'),
    })
    .post('/repos/:owner/:repo/branch_protections/priority', ({ repo, body }) => orderRules(context, repo, body.ids ?? []), {
      repo: 'admin',
      params: RepoParams,
      body: UpdateBranchProtectionPriories,
      response: noContent,
      detail: operation('repoUpdateBranchProtectionPriories', 'Update the priorities of branch protections for a repository', 'repository'),
    })
    .get('/repos/:owner/:repo/branch_protections/*', ({ repo, params }) => present(getRule(context.db, repo, decodePath(params['*']))), {
      repo: 'admin',
      params: RuleParams,
      response: { 200: BranchProtection },
      detail: operation('repoGetBranchProtection', 'Get a specific branch protection for the repository', 'repository'),
    })
    .patch(
      '/repos/:owner/:repo/branch_protections/*',
      ({ viewer, repo, params, body }) => present(editRule(context, viewer, repo, decodePath(params['*']), body)),
      {
        repo: 'admin',
        params: RuleParams,
        body: EditBranchProtectionOption,
        response: { 200: BranchProtection },
        detail: operation('repoEditBranchProtection', 'Edit a branch protection for a repository. Only fields that are set will be changed', 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/branch_protections/*', ({ repo, params }) => deleteRule(context, repo, decodePath(params['*'])), {
      repo: 'admin',
      params: RuleParams,
      response: noContent,
      detail: operation('repoDeleteBranchProtection', 'Delete a specific branch protection for the repository', 'repository'),
    })
}
