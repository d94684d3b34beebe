import { Elysia, t } from 'elysia'
import { gate, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'

const GitHookParams = t.Object({ ...RepoParams.properties, id: t.String({ description: 'ID of the hook to get' }) })

const refuse = (): never => {
  throw new Forbidden('must be allowed to edit Git hooks: this server does not run hook scripts. Use webhooks instead (POST …/hooks).')
}

/** Scripts that git would run on the server. There are none here: who administers a repository is told so, as by a Gitea that has them switched off. */
export function gitHooks(context: Context) {
  return new Elysia({ name: 'webhooks.git' })
    .use(gate(context))
    .get('/repos/:owner/:repo/hooks/git', refuse, {
      repo: 'admin',
      params: RepoParams,
      detail: operation('repoListGitHooks', 'List the Git hooks in a repository', 'repository'),
    })
    .get('/repos/:owner/:repo/hooks/git/:id', refuse, {
      repo: 'admin',
      params: GitHookParams,
      detail: operation('repoGetGitHook', 'Get a Git hook', 'repository'),
    })
    .patch('/repos/:owner/:repo/hooks/git/:id', refuse, {
      repo: 'admin',
      params: GitHookParams,
      detail: operation('repoEditGitHook', 'Edit a Git hook in a repository', 'repository'),
    })
    .delete('/repos/:owner/:repo/hooks/git/:id', refuse, {
      repo: 'admin',
      params: GitHookParams,
      detail: operation('repoDeleteGitHook', 'Delete a Git hook in a repository', 'repository'),
    })
}
