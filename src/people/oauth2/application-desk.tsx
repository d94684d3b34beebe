import { type Static, t } from 'elysia'
import { IdText, MadeLately } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Page, pageOfSize } from '#kernel/page.ts'
import { answerDone, answerPage, attempt, type Html, Pager, type Visit } from '#web/index.ts'
import { ApplicationPage, type ApplicationPlace, ApplicationsPage, NewSecretPage } from './application-templates.tsx'
import {
  type ApplicationTerms,
  createApplication,
  editApplication,
  getApplication,
  type NewSecret,
  removeApplication,
  renewSecret,
  termsOf,
} from './change-applications.ts'
import { isBuiltIn } from './clients.ts'
import type { ApplicationForm } from './schema.ts'
import { type ApplicationOwner, listApplications } from './store.ts'

export const ApplicationParams = t.Object({ id: IdText('ID of the application') })

/** Of applications, and of what somebody has let in, on one page. */
export const PAGE_SIZE = 50

/** A place of applications, with whose they are. */
export interface ApplicationDesk extends ApplicationPlace {
  visit: Visit
  owner: ApplicationOwner
  /** What the list's page shows above it. */
  before?: Html
}

type Form = Static<typeof ApplicationForm>

/** What the pages of people, organizations and the site do alike with the applications of theirs. */
export function applicationDesks(context: Pick<Context, 'clock' | 'db' | 'jobs' | 'services'>) {
  return {
    list: (desk: ApplicationDesk, page?: string) => showAll(desk, pageOfSize(page, PAGE_SIZE)),
    create: (desk: ApplicationDesk, form: Form) =>
      attempt(
        () => {
          const make = () => createApplication(context, desk.owner, termsIn(form))
          return showSecret(desk, context.services.get(MadeLately).once(desk.visit.viewer, ['application', desk.address, form], make))
        },
        (problem) => showAll(desk, pageOfSize(undefined, PAGE_SIZE), termsIn(form), problem),
      ),
    show: (desk: ApplicationDesk, id: string) => showOne(desk, id),
    save: (desk: ApplicationDesk, id: string, form: Form) =>
      attempt(
        () => answerDone(desk.visit, `${desk.address}/${editApplication(context, desk.owner, rowIdIn(id), termsIn(form)).id}`, 'Application saved'),
        (problem) => showOne(desk, id, termsIn(form), problem),
      ),
    renew: (desk: ApplicationDesk, id: string) => showSecret(desk, renewSecret(context, desk.owner, rowIdIn(id))),
    delete(desk: ApplicationDesk, id: string): Response {
      removeApplication(context, desk.owner, rowIdIn(id))
      return answerDone(desk.visit, desk.address, 'Application deleted')
    },
  }

  function showAll(desk: ApplicationDesk, page: Page, typed?: ApplicationTerms, problem?: Problem): Response {
    const { visit, before } = desk
    const { rows, total } = listApplications(context.db, desk.owner, page)
    const pager = <Pager visit={visit} page={page} total={total} />
    const applications = rows.filter((row) => !isBuiltIn(row))
    return answerPage(<ApplicationsPage place={desk} {...{ before, applications, pager, typed }} error={problem?.message} />, problem?.status ?? 200)
  }

  function showOne(desk: ApplicationDesk, id: string, typed?: ApplicationTerms, problem?: Problem): Response {
    const application = getApplication(context.db, desk.owner, rowIdIn(id))
    const page = <ApplicationPage place={desk} application={application} terms={typed ?? termsOf(application)} error={problem?.message} />
    return answerPage(page, problem?.status ?? 200)
  }
}

/** Boxes that are not ticked are not sent. */
function termsIn(form: Form): ApplicationTerms {
  return {
    name: form.name,
    redirect_uris: form.redirect_uris.split(/\r?\n/),
    confidential_client: form.confidential_client === true,
    skip_secondary_authorization: form.skip_secondary_authorization === true,
  }
}

function showSecret(desk: ApplicationDesk, made: NewSecret): Response {
  return answerPage(<NewSecretPage place={desk} made={made} />, 200, { 'Cache-Control': 'no-store' })
}
