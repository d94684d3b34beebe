import { Elysia } from 'elysia'
import { gate, operation, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { presentRepoRow, Repository } from '#repositories/repos/index.ts'
import { generateRepo } from './generate-repo.ts'
import { GenerateRepoOption } from './schema.ts'

/** Repositories made from templates. */
export function templates(context: Context) {
  return new Elysia({ name: 'templates' }).use(gate(context)).post(
    '/repos/:owner/:repo/generate',
    async ({ viewer, repo, body }) => {
      const made = await generateRepo(context, { viewer: requireUser(viewer), template: repo, body })
      return presentRepoRow(context, viewer, made)
    },
    {
      repo: 'code:read',
      params: RepoParams,
      body: GenerateRepoOption,
      response: { 201: Repository },
      detail: { ...operation('generateRepo', 'Create a repository from a template', 'repository'), errors: [409] },
    },
  )
}
