import { Elysia, type Static } from 'elysia'
import { gate, MadeLately, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { mayReleaseNames } from '#people/users/index.ts'
import { answerPage, attempt, checkForm, Layout, looseForm, SubmitButton, seeOther, TextField, Trouble, Visit } from '#web/index.ts'
import { createOrg } from './create-org.ts'
import { OrgFields } from './org-fields.tsx'
import { requireOrgCreator } from './rules.ts'
import { CreateOrgOption } from './schema.ts'

const OrgForm = looseForm(CreateOrgOption)
type OrgForm = Static<typeof OrgForm>

/** Where organizations are made. */
export function createOrgPages(context: Context) {
  return new Elysia({ name: 'orgs.create-pages' })
    .use(gate(context, 'page'))
    .get(
      '/org/create',
      ({ viewer, request }) => {
        requireOrgCreator(viewer.user)
        return show(new Visit(context, viewer, request), { username: '' })
      },
      { signedIn: [], detail: { hide: true } },
    )
    .post('/org/create', ({ viewer, request, body }) => create(context, new Visit(context, viewer, request), viewer, body), {
      signedIn: [],
      body: OrgForm,
      detail: { hide: true },
    })
}

function create(context: Pick<Context, 'config' | 'db' | 'clock' | 'services'>, visit: Visit, viewer: Member, form: OrgForm): Promise<Response> {
  const work = () => {
    requireOrgCreator(viewer.user)
    const make = () => createOrg(context, viewer.user, checkForm(CreateOrgOption, form), mayReleaseNames(viewer))
    const org = context.services.get(MadeLately).once(viewer, ['organization', form], make)
    return seeOther(visit.to`/${org.name}`)
  }
  return attempt(work, (problem) => show(visit, form, problem))
}

function show(visit: Visit, form: OrgForm, problem?: Problem): Response {
  return answerPage(
    <Layout visit={visit} title="New organization">
      <h1>New organization</h1>
      <form class="fields" method="post" action={visit.to`/org/create`}>
        <Trouble text={problem?.message} />
        <TextField name="username" label="Name" value={form.username} most={40} isRequired isExact />
        <OrgFields form={form} />
        <SubmitButton>Create organization</SubmitButton>
      </form>
    </Layout>,
    problem?.status ?? 200,
  )
}
