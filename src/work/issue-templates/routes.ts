import { Elysia } from 'elysia'
import { gate, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { nullWhenEmpty } from '#kernel/http.ts'
import { readConfig, readTemplates } from './read-templates.ts'
import { IssueConfig, IssueConfigValidation, IssueTemplates } from './schema.ts'

/** What new issues can begin with, as the default branch has it; like the code, for who may read that. */
export function issueTemplates(context: Context) {
  return new Elysia({ name: 'issue-templates' })
    .use(gate(context))
    .get(
      '/repos/:owner/:repo/issue_templates',
      async ({ repo, set }) => {
        const { templates, faults } = await readTemplates(context, repo.row)
        if (faults > 0) set.headers['X-Gitea-Warning'] = `error occurs when parsing issue template: count=${faults}`
        return nullWhenEmpty(templates)
      },
      {
        repo: 'code:read',
        params: RepoParams,
        response: { 200: IssueTemplates },
        detail: operation('repoGetIssueTemplates', 'Get available issue templates for a repository', 'repository'),
      },
    )
    .get('/repos/:owner/:repo/issue_config', async ({ repo }) => (await readConfig(context, repo.row)).config, {
      repo: 'code:read',
      params: RepoParams,
      response: { 200: IssueConfig },
      detail: operation('repoGetIssueConfig', 'Returns the issue config for a repo', 'repository'),
    })
    .get(
      '/repos/:owner/:repo/issue_config/validate',
      async ({ repo }) => {
        const { fault } = await readConfig(context, repo.row)
        return { valid: fault === '', message: fault }
      },
      {
        repo: 'code:read',
        params: RepoParams,
        response: { 200: IssueConfigValidation },
        detail: operation('repoValidateIssueConfig', 'Returns the validation information for a issue config', 'repository'),
      },
    )
}
