import { Elysia } from 'elysia'
import { gate, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { readsBody } from '#kernel/slice.ts'
import { PictureFields, removeAvatar, uploadAvatarForm } from '#people/avatars/index.ts'
import { answerDone, answerPage, attempt, RepoSettingsFrame, Visit } from '#web/index.ts'

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** Pictures of repositories, in their settings. */
export function repoAvatarPages(context: Context) {
  return new Elysia({ name: 'repos.avatar-pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/avatar', (asked) => show(context, asked), { repo: 'admin', params: RepoParams, detail: { hide: true } })
    .post('/:owner/:repo/settings/avatar', (asked) => upload(context, asked), { repo: 'admin', params: RepoParams, detail: { hide: true, ...readsBody } })
    .post(
      '/:owner/:repo/settings/avatar/delete',
      ({ viewer, repo, request }) => {
        removeAvatar(context, { table: 'repository', id: repo.row.id })
        return answerDone(new Visit(context, viewer, request), (visit) => addressOf(visit, repo), 'Avatar removed')
      },
      { repo: 'admin', params: RepoParams, detail: { hide: true } },
    )
}

function addressOf(visit: Visit, { owner, row }: RepoAccess): string {
  return visit.to`/${owner.name}/${row.name}/settings/avatar`
}

function upload(context: Context, asked: Asked): Promise<Response> {
  const { viewer, repo, request } = asked
  const work = async () => {
    await uploadAvatarForm(context, requireUser(viewer).user, { table: 'repository', id: repo.row.id }, request)
    return answerDone(new Visit(context, viewer, request), (visit) => addressOf(visit, repo), 'Avatar saved')
  }
  return attempt(work, (problem) => show(context, asked, problem))
}

function show(context: Context, { viewer, repo, request }: Asked, problem?: Problem): Response {
  const visit = new Visit(context, viewer, request)
  return answerPage(
    <RepoSettingsFrame visit={visit} repo={repo} subject="picture">
      <PictureFields
        address={addressOf(visit, repo)}
        picture={repo.row.avatar === '' ? undefined : visit.to`/repo-avatars/${repo.row.avatar}`}
        isOwn={repo.row.avatar !== ''}
        most={context.config.picture.AVATAR_MAX_FILE_SIZE}
        error={problem?.message}
      />
    </RepoSettingsFrame>,
    problem?.status ?? 200,
  )
}
