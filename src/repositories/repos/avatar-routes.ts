import { Elysia } from 'elysia'
import { gate, noContent, operation, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { pictureBodyLimit, removeAvatar, UpdateRepoAvatarOption, uploadAvatar } from '#people/avatars/index.ts'

/** Pictures of repositories. */
export function repoAvatars(context: Context) {
  return new Elysia({ name: 'repos.avatars' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/avatar',
      ({ viewer, repo, body }) => uploadAvatar(context, requireUser(viewer).user, { table: 'repository', id: repo.row.id }, body.image),
      {
        repo: 'admin',
        params: RepoParams,
        bodyLimit: pictureBodyLimit(context.config),
        body: UpdateRepoAvatarOption,
        response: noContent,
        detail: operation('repoUpdateAvatar', "Update a repository's avatar", 'repository'),
      },
    )
    .delete('/repos/:owner/:repo/avatar', ({ repo }) => removeAvatar(context, { table: 'repository', id: repo.row.id }), {
      repo: 'admin',
      params: RepoParams,
      response: noContent,
      detail: operation('repoDeleteAvatar', "Delete a repository's avatar", 'repository'),
    })
}
