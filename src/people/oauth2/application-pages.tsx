import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { answerPage, attempt, seeOther, Visit } from '#web/index.ts'
import { ApplicationPage, ApplicationsPage, NewSecretPage } from './application-templates.tsx'
import {
  type ApplicationTerms,
  createApplication,
  editApplication,
  getApplication,
  type NewSecret,
  removeApplication,
  renewSecret,
  revokeGrant,
  termsOf,
} from './change-applications.ts'
import { ApplicationForm } from './schema.ts'
import { listApplications, listGrants } from './store.ts'

const PATH = '/user/settings/applications/oauth2'
/** More than anybody has to look through. */
const MOST = { page: 1, limit: 500, offset: 0 }
const ApplicationParams = t.Object({ id: IdText('id of the application') })
const GrantParams = t.Object({ ...ApplicationParams.properties, grant: IdText('id of the grant') })

/** Applications that somebody has made, and those that they have let in. */
export function applicationPages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Member; request: Request }) => new Visit(context, viewer, request)
  const back = (visit: Visit) => seeOther(visit.to`/user/settings/applications/oauth2`)
  return new Elysia({ name: 'oauth2.settings-pages' })
    .use(gate(context, 'page'))
    .get(PATH, (asked) => showAll(context, visitOf(asked), asked.viewer), { signedIn: [], detail: { hide: true } })
    .post(PATH, (asked) => create(context, visitOf(asked), asked.viewer, termsIn(asked.body)), { signedIn: [], body: ApplicationForm, detail: { hide: true } })
    .get(`${PATH}/:id`, (asked) => showOne(context, visitOf(asked), asked.viewer, rowIdIn(asked.params.id)), {
      signedIn: [],
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post(`${PATH}/:id`, (asked) => edit(context, visitOf(asked), asked.viewer, rowIdIn(asked.params.id), termsIn(asked.body)), {
      signedIn: [],
      params: ApplicationParams,
      body: ApplicationForm,
      detail: { hide: true },
    })
    .post(`${PATH}/:id/regenerate_secret`, (asked) => showSecret(visitOf(asked), renewSecret(context, asked.viewer.user, rowIdIn(asked.params.id))), {
      signedIn: [],
      params: ApplicationParams,
      detail: { hide: true },
    })
    .post(
      `${PATH}/:id/delete`,
      (asked) => {
        removeApplication(context, asked.viewer.user, rowIdIn(asked.params.id))
        return back(visitOf(asked))
      },
      { signedIn: [], params: ApplicationParams, detail: { hide: true } },
    )
    .post(
      `${PATH}/:id/revoke/:grant`,
      (asked) => {
        revokeGrant(context, asked.viewer.user, rowIdIn(asked.params.grant))
        return back(visitOf(asked))
      },
      { signedIn: [], params: GrantParams, detail: { hide: true } },
    )
}

/** Boxes that are not ticked are not sent. */
function termsIn(form: Static<typeof ApplicationForm>): ApplicationTerms {
  return {
    name: form.name,
    redirect_uris: form.redirect_uris.split(/\r?\n/),
    confidential_client: form.confidential_client === true,
    skip_secondary_authorization: form.skip_secondary_authorization === true,
  }
}

function showAll(context: Context, visit: Visit, { user }: Member, typed?: ApplicationTerms, problem?: Problem): Response {
  const applications = listApplications(context.db, user.id, MOST).rows
  const grants = listGrants(context.db, user.id, MOST).rows
  const page = <ApplicationsPage context={context} visit={visit} applications={applications} grants={grants} typed={typed} error={problem?.message} />
  return answerPage(page, problem?.status ?? 200)
}

function create(context: Context, visit: Visit, viewer: Member, terms: ApplicationTerms): Promise<Response> {
  return attempt(
    () => showSecret(visit, createApplication(context, viewer.user, terms)),
    (problem) => showAll(context, visit, viewer, terms, problem),
  )
}

function showOne(context: Context, visit: Visit, { user }: Member, id: number, typed?: ApplicationTerms, problem?: Problem): Response {
  const application = getApplication(context.db, user, id)
  const page = <ApplicationPage visit={visit} application={application} terms={typed ?? termsOf(application)} error={problem?.message} />
  return answerPage(page, problem?.status ?? 200)
}

function edit(context: Context, visit: Visit, viewer: Member, id: number, terms: ApplicationTerms): Promise<Response> {
  return attempt(
    () => {
      editApplication(context, viewer.user, id, terms)
      return seeOther(visit.to`/user/settings/applications/oauth2/${id}`)
    },
    (problem) => showOne(context, visit, viewer, id, terms, problem),
  )
}

function showSecret(visit: Visit, made: NewSecret): Response {
  return answerPage(<NewSecretPage visit={visit} made={made} />, 200, { 'Cache-Control': 'no-store' })
}
