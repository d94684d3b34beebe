import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, IdText, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, type Problem, Unprocessable } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { takeAwayFactors } from '#people/second-factors/index.ts'
import { renameUser } from '#people/users/index.ts'
import {
  answerDone,
  answerPage,
  attempt,
  Choice,
  ConfirmingField,
  checkForm,
  EditForm,
  isPasswordAsked,
  looseForm,
  PasswordField,
  SiteFrame,
  SubmitButton,
  TextField,
  Trouble,
  Visit,
} from '#web/index.ts'
import { deleteOther } from './delete-user.ts'
import { editUser } from './edit-user.ts'
import { marksOf } from './people-pages.tsx'
import { changesInPerson, formOfPerson, PersonFields, PersonForm } from './person-form.tsx'
import { EditUserOption, RenameUserOption } from './schema.ts'
import { PlaceForm, type SignInFacts, SignInSection, signInFacts } from './sign-in-section.tsx'

const PersonParams = t.Object({ id: IdText('ID of the user') })
const RenameForm = looseForm(RenameUserOption)
const DeleteForm = t.Object({ name: t.String({ maxLength: 255 }), purge: t.Optional(t.Boolean()), own_password: t.Optional(t.String({ maxLength: 1024 })) })
type DeleteForm = Static<typeof DeleteForm>
const ProofForm = t.Object({ own_password: t.Optional(t.String({ maxLength: 1024 })) })

interface Asked {
  viewer: Member
  request: Request
  params: { id: string }
}

/** A form that was refused, with what was typed into it. */
interface Refused {
  problem: Problem
  form?: PersonForm
  newName?: string
  place?: PlaceForm
  deletion?: DeleteForm
}

/** One account, for administrators. */
export function personPages(context: Context) {
  return new Elysia({ name: 'admin.person-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/users/:id/edit', (asked) => show(context, asked, getPerson(context, asked)), {
      siteAdmin: 'admin',
      params: PersonParams,
      detail: { hide: true },
    })
    .post('/-/admin/users/:id/edit', (asked) => save(context, asked, asked.body), {
      siteAdmin: 'admin',
      params: PersonParams,
      body: PersonForm,
      detail: { hide: true },
    })
    .post('/-/admin/users/:id/place', (asked) => changePlace(context, asked, asked.body), {
      siteAdmin: 'admin',
      params: PersonParams,
      body: PlaceForm,
      detail: { hide: true },
    })
    .post('/-/admin/users/:id/factors', (asked) => removeFactors(context, asked, asked.body.own_password), {
      siteAdmin: 'admin',
      params: PersonParams,
      body: ProofForm,
      detail: { hide: true },
    })
    .post('/-/admin/users/:id/rename', (asked) => rename(context, asked, asked.body.new_username), {
      siteAdmin: 'admin',
      params: PersonParams,
      body: RenameForm,
      detail: { hide: true },
    })
    .post('/-/admin/users/:id/delete', (asked) => remove(context, asked, asked.body), {
      siteAdmin: 'admin',
      params: PersonParams,
      body: DeleteForm,
      detail: { hide: true },
    })
}

/** @throws NotFound */
function getPerson({ db }: Pick<Context, 'db'>, { params }: Asked): UserRow {
  const found = accessStore.findUserById(db, rowIdIn(params.id))
  if (found?.kind !== 'person') throw new NotFound()
  return found
}

/** A password, an address and the right to administer let others in: after a while the administrator's own password is asked for again. */
function save(context: Context, asked: Asked, form: PersonForm): Promise<Response> {
  const { viewer, request } = asked
  const person = getPerson(context, asked)
  const work = async () => {
    await context.authenticator.requireRecent(viewer, form.own_password, request)
    await editUser(context, viewer.user, person, checkForm(EditUserOption, changesInPerson(form, person)))
    return answerDone(new Visit(context, viewer, request), (visit) => addressOf(visit, person), 'Account saved')
  }
  return attempt(work, (problem) => show(context, asked, person, { form, problem }))
}

/** Whoever has the account there comes in. */
function changePlace(context: Context, asked: Asked, place: PlaceForm): Promise<Response> {
  const { viewer, request } = asked
  const person = getPerson(context, asked)
  const work = async () => {
    await context.authenticator.requireRecent(viewer, place.own_password, request)
    await editUser(context, viewer.user, person, { source_id: place.source_id, login_name: place.login_name?.trim() })
    return answerDone(new Visit(context, viewer, request), (visit) => addressOf(visit, person), 'Account saved')
  }
  return attempt(work, (problem) => show(context, asked, person, { place, problem }))
}

/** Who has the password comes in without them. */
function removeFactors(context: Context, asked: Asked, password: string | undefined): Promise<Response> {
  const { viewer, request } = asked
  const person = getPerson(context, asked)
  const work = async () => {
    await context.authenticator.requireRecent(viewer, password, request)
    takeAwayFactors(context, person)
    return answerDone(new Visit(context, viewer, request), (visit) => addressOf(visit, person), 'Two-factor authentication disabled')
  }
  return attempt(work, (problem) => show(context, asked, person, { problem }))
}

function rename(context: Context, asked: Asked, newName: string): Promise<Response> {
  const person = getPerson(context, asked)
  const work = () => {
    renameUser(context, person, checkForm(RenameUserOption, { new_username: newName.trim() }).new_username)
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => addressOf(visit, person), 'Account renamed')
  }
  return attempt(work, (problem) => show(context, asked, person, { newName, problem }))
}

/** What cannot be taken back wants the name typed and, after a while, the password. */
function remove(context: Context, asked: Asked, deletion: DeleteForm): Promise<Response> {
  const { viewer, request } = asked
  const person = getPerson(context, asked)
  const work = async () => {
    if (deletion.name !== person.name) throw new Unprocessable(`The name does not match. Type ${person.name} to delete the account.`)
    await context.authenticator.requireRecent(viewer, deletion.own_password, request)
    await deleteOther(context, viewer, person, deletion.purge === true)
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/users`, 'Account deleted')
  }
  return attempt(work, (problem) => show(context, asked, person, { deletion, problem }))
}

function addressOf(visit: Visit, { id }: UserRow): string {
  return visit.to`/-/admin/users/${id}/edit`
}

function show(context: Context, { viewer, request }: Asked, person: UserRow, refused?: Refused): Response {
  const visit = new Visit(context, viewer, request)
  const page = <PersonPage visit={visit} person={person} facts={signInFacts(context, person)} refused={refused} isAsked={isPasswordAsked(context, viewer)} />
  return answerPage(page, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  person: UserRow
  facts: SignInFacts
  refused: Refused | undefined
  isAsked: boolean
}

function PersonPage({ visit, person, facts, refused, isAsked }: Props) {
  const base = visit.to`/-/admin/users/${person.id}`
  return (
    <SiteFrame visit={visit} subject="people" title={person.name}>
      <p class="line">
        <a href={visit.to`/${person.name}`}>Profile</a>
        <a href={`${visit.to`/-/admin/emails`}?q=${encodeURIComponent(person.name)}`}>Email addresses</a>
        {marksOf(person).map((mark) => (
          <span class="mark">{mark}</span>
        ))}
      </p>
      <Trouble text={refused?.problem.message} />
      <EditForm class="fields" action={`${base}/edit`}>
        <PersonFields form={refused?.form ?? formOfPerson(person)} />
        <PasswordField name="own_password" isAsked={isAsked} />
        <SubmitButton>Save account</SubmitButton>
      </EditForm>
      <SignInSection base={base} person={person} facts={facts} place={refused?.place} isAsked={isAsked} />
      <h2>Rename account</h2>
      <EditForm class="fields" action={`${base}/rename`}>
        <p>The old name redirects to the new one, and no other account can use it.</p>
        <TextField name="new_username" label="New name" value={refused?.newName ?? person.name} most={40} isRequired isExact autocomplete="off" />
        <SubmitButton>Rename account</SubmitButton>
      </EditForm>
      {visit.viewer.user?.id !== person.id && (
        <>
          <h2>Delete account</h2>
          <form class="fields" method="post" action={`${base}/delete`}>
            <p>This cannot be undone. The name and the email addresses stay reserved.</p>
            <ConfirmingField name="name" whole={person.name} value={refused?.deletion?.name} />
            <Choice
              name="purge"
              label="Also delete all repositories of the user and all organizations without another owner (required if there are any)"
              isOn={refused?.deletion?.purge === true}
            />
            <PasswordField name="own_password" isAsked={isAsked} />
            <SubmitButton isDanger>Delete account</SubmitButton>
          </form>
        </>
      )}
    </SiteFrame>
  )
}
