import { Elysia, t } from 'elysia'
import { gate, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { removeAvatar, UpdateRepoAvatarOption, uploadAvatar } from '#people/avatars/index.ts'

const detail = (operationId: string, summary: string, tag: string) => ({ operationId, summary, tags: [tag] })
const response = { 204: t.Void() }

/** Pictures of repositories. */
export function repoAvatars(context: Context) {
  return new Elysia({ name: 'repos.avatars' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/avatar',
      async ({ viewer, repo, body, set }) => {
        await uploadAvatar(context, requireUser(viewer).user, { table: 'repository', id: repo.row.id }, body.image)
        set.status = 204
      },
      {
        repo: 'admin',
        params: RepoParams,
        body: UpdateRepoAvatarOption,
        response,
        detail: detail('repoUpdateAvatar', "Update a repository's avatar", 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/avatar',
      ({ repo, set }) => {
        removeAvatar(context, { table: 'repository', id: repo.row.id })
        set.status = 204
      },
      { repo: 'admin', params: RepoParams, response, detail: detail('repoDeleteAvatar', "Delete a repository's avatar", 'repository') },
    )
}
