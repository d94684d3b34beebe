import { Elysia } from 'elysia'
import { gate, type Member, type OrgAccess, OrgParams, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { readsBody } from '#kernel/slice.ts'
import { AccountFrame, answerDone, answerPage, attempt, OrgSettingsFrame, Visit } from '#web/index.ts'
import { removeAvatar } from './change-avatar.ts'
import { PictureFields } from './picture-fields.tsx'
import { uploadAvatarForm } from './picture-form.ts'

/** Where people choose pictures for themselves and for their organizations. */
export function pictureSettings(context: Context) {
  return new Elysia({ name: 'avatars.settings' }).use(ofUser(context)).use(ofOrg(context))
}

function ofUser(context: Context) {
  return new Elysia({ name: 'avatars.user-settings' })
    .use(gate(context, 'page'))
    .get('/user/settings/avatar', (asked) => showOwn(context, asked), { signedIn: [], detail: { hide: true } })
    .post('/user/settings/avatar', (asked) => upload(context, asked, asked.viewer.user, (problem) => showOwn(context, asked, problem)), {
      signedIn: [],
      detail: { hide: true, ...readsBody },
    })
    .post('/user/settings/avatar/delete', (asked) => takeAway(context, asked, asked.viewer.user), { signedIn: [], detail: { hide: true } })
}

function ofOrg(context: Context) {
  return new Elysia({ name: 'avatars.org-settings' })
    .use(gate(context, 'page'))
    .get('/org/:org/settings/avatar', (asked) => showOrg(context, asked), { org: 'owner', params: OrgParams, detail: { hide: true } })
    .post('/org/:org/settings/avatar', (asked) => upload(context, asked, asked.org.row, (problem) => showOrg(context, asked, problem)), {
      org: 'owner',
      params: OrgParams,
      detail: { hide: true, ...readsBody },
    })
    .post('/org/:org/settings/avatar/delete', (asked) => takeAway(context, asked, asked.org.row), { org: 'owner', params: OrgParams, detail: { hide: true } })
}

interface Asked {
  viewer: Viewer
  request: Request
}

function addressFor(visit: Visit, account: UserRow): string {
  return account.kind === 'person' ? visit.to`/user/settings/avatar` : visit.to`/org/${account.name}/settings/avatar`
}

function upload(context: Context, { viewer, request }: Asked, account: UserRow, again: (problem: Problem) => Response): Promise<Response> {
  const work = async () => {
    await uploadAvatarForm(context, requireUser(viewer).user, { table: 'user', id: account.id }, request)
    return answerDone(new Visit(context, viewer, request), (visit) => addressFor(visit, account), 'Avatar updated')
  }
  return attempt(work, again)
}

function takeAway(context: Context, { viewer, request }: Asked, account: UserRow): Response {
  removeAvatar(context, { table: 'user', id: account.id })
  return answerDone(new Visit(context, viewer, request), (visit) => addressFor(visit, account), 'Avatar removed')
}

function showOwn(context: Context, { viewer, request }: { viewer: Member; request: Request }, problem?: Problem): Response {
  const visit = new Visit(context, viewer, request)
  return answerPage(
    <AccountFrame visit={visit} subject="picture" title="Avatar">
      {fieldsOf(context, visit, viewer.user, problem)}
    </AccountFrame>,
    problem?.status ?? 200,
  )
}

function showOrg(context: Context, { viewer, org, request }: Asked & { org: OrgAccess }, problem?: Problem): Response {
  const visit = new Visit(context, viewer, request)
  return answerPage(
    <OrgSettingsFrame visit={visit} org={org} subject="picture">
      {fieldsOf(context, visit, org.row, problem)}
    </OrgSettingsFrame>,
    problem?.status ?? 200,
  )
}

function fieldsOf({ config }: Pick<Context, 'config'>, visit: Visit, account: UserRow, problem: Problem | undefined) {
  return (
    <PictureFields
      address={addressFor(visit, account)}
      picture={visit.to`/avatars/${account.avatar || account.id}`}
      isOwn={account.avatar !== ''}
      most={config.picture.AVATAR_MAX_FILE_SIZE}
      error={problem?.message}
    />
  )
}
