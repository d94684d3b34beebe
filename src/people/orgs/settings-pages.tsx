import { Elysia, type Static, t } from 'elysia'
import { gate, type OrgAccess, OrgParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Problem, Unprocessable } from '#kernel/errors.ts'
import { renameUser } from '#people/users/index.ts'
import {
  answerDone,
  answerPage,
  attempt,
  ConfirmingField,
  checkForm,
  EditForm,
  isPasswordAsked,
  looseForm,
  OrgSettingsFrame,
  PasswordField,
  SubmitButton,
  TextField,
  Trouble,
  Visit,
} from '#web/index.ts'
import { deleteOrg } from './delete-org.ts'
import { editOrg } from './edit-org.ts'
import { OrgFields } from './org-fields.tsx'
import { EditOrgOption, RenameOrgOption } from './schema.ts'
import { findOrgById } from './store.ts'

const ProfileForm = looseForm(EditOrgOption)
type ProfileForm = Static<typeof ProfileForm>
const RenameForm = looseForm(RenameOrgOption)
const DeleteForm = t.Object({ name: t.String({ maxLength: 255 }), password: t.Optional(t.String({ maxLength: 1024 })) })

interface Asked {
  viewer: Viewer
  org: OrgAccess
  request: Request
}

/** A form that was refused, with what was typed into it. */
interface Refused {
  problem: Problem
  profile?: ProfileForm
  newName?: string
  name?: string
}

/** An organization's own settings, for its owners. */
export function orgSettingsPages(context: Context) {
  return new Elysia({ name: 'orgs.settings-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/settings', (asked) => show(context, asked), { org: 'owner', params: OrgParams, detail: { hide: true } })
    .post('/org/:org/settings', (asked) => save(context, asked, asked.body), { org: 'owner', params: OrgParams, body: ProfileForm, detail: { hide: true } })
    .post('/org/:org/settings/rename', (asked) => rename(context, asked, asked.body.new_name), {
      org: 'owner',
      params: OrgParams,
      body: RenameForm,
      detail: { hide: true },
    })
    .post('/org/:org/settings/delete', (asked) => remove(context, asked, asked.body), {
      org: 'owner',
      params: OrgParams,
      body: DeleteForm,
      detail: { hide: true },
    })
}

function save(context: Context, asked: Asked, profile: ProfileForm): Promise<Response> {
  const work = () => {
    editOrg(context, asked.org.row, { repo_admin_change_team_access: false, ...checkForm(EditOrgOption, profile) })
    return answerDone(visitOf(context, asked), (visit) => visit.to`/org/${asked.org.row.name}/settings`, 'Settings saved')
  }
  return attempt(work, (problem) => show(context, asked, { profile, problem }))
}

function rename(context: Context, asked: Asked, newName: string): Promise<Response> {
  const work = () => {
    const { new_name: name } = checkForm(RenameOrgOption, { new_name: newName.trim() })
    renameUser(context, asked.org.row, name)
    return answerDone(visitOf(context, asked), (visit) => visit.to`/org/${name}/settings`, `Organization renamed to “${name}”`)
  }
  return attempt(work, (problem) => show(context, asked, { newName, problem }))
}

/** What cannot be taken back wants the name typed and, after a while, the password. */
function remove(context: Context, asked: Asked, { name, password }: Static<typeof DeleteForm>): Promise<Response> {
  const { viewer, org, request } = asked
  const work = async () => {
    if (name !== org.row.name) throw new Unprocessable(`The name does not match. Type ${org.row.name} to delete the organization.`)
    await context.authenticator.requireRecent(requireUser(viewer), password, request)
    deleteOrg(context, org.row)
    return answerDone(visitOf(context, asked), (visit) => visit.to`/user/settings/organization`, `Organization “${org.row.name}” deleted`)
  }
  return attempt(work, (problem) => show(context, asked, { name, problem }))
}

function visitOf(context: Context, { viewer, request }: Asked): Visit {
  return new Visit(context, viewer, request)
}

function show(context: Context, asked: Asked, refused?: Refused): Response {
  const isAsked = isPasswordAsked(context, requireUser(asked.viewer))
  const row = findOrgById(context.db, asked.org.row.id)
  const profile = { ...asked.org.row, repo_admin_change_team_access: row?.repo_admin_change_team_access === 1 }
  const page = <SettingsPage visit={visitOf(context, asked)} org={asked.org} profile={refused?.profile ?? profile} refused={refused} isAsked={isAsked} />
  return answerPage(page, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  org: OrgAccess
  profile: ProfileForm
  refused: Refused | undefined
  isAsked: boolean
}

function SettingsPage({ visit, org, profile, refused, isAsked }: Props) {
  const address = visit.to`/org/${org.row.name}/settings`
  return (
    <OrgSettingsFrame visit={visit} org={org} subject="general">
      <Trouble text={refused?.problem.message} />
      <EditForm class="fields" action={address}>
        <OrgFields form={profile} />
        <SubmitButton>Save settings</SubmitButton>
      </EditForm>
      <h3>Rename organization</h3>
      <EditForm class="fields" action={`${address}/rename`}>
        <p>The old name redirects to the new one, and no other account can use it.</p>
        <TextField name="new_name" label="New name" value={refused?.newName ?? org.row.name} most={40} isRequired isExact />
        <SubmitButton>Rename organization</SubmitButton>
      </EditForm>
      <h3>Delete organization</h3>
      <form class="fields" method="post" action={`${address}/delete`}>
        <p>This cannot be undone. Delete or transfer all repositories of the organization first.</p>
        <ConfirmingField name="name" whole={org.row.name} value={refused?.name} />
        <PasswordField isAsked={isAsked} />
        <SubmitButton isDanger>Delete organization</SubmitButton>
      </form>
    </OrgSettingsFrame>
  )
}
