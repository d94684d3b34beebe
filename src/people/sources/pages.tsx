import { Elysia, type Static, t } from 'elysia'
import { gate, type Member, recheckAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { answerDone, answerPage, attempt, checkForm, isPasswordAsked, Visit } from '#web/index.ts'
import { addSource, deleteSource, editSource, getSourceRow } from './change-sources.ts'
import { type AuthSourceTest, CreateAuthSourceOption, EditAuthSourceOption, SourceParams } from './schema.ts'
import { getSource } from './source.ts'
import { emptySource, formOfSource, optionsInSource, SourceForm, sourceKinds } from './source-form.ts'
import { SourcePage, SourcesPage } from './source-templates.tsx'
import { listSourceRows } from './store.ts'
import { testSource } from './test-source.ts'
import { presentSource } from './view.ts'

const KindQuery = t.Object({ type: t.Optional(t.String()) })
const TestForm = t.Object({ username: t.Optional(t.String({ maxLength: 254 })), test_password: t.Optional(t.String({ maxLength: 1024 })) })

interface Asked {
  viewer: Member
  request: Request
}

/** Where people sign in who have no password here, for administrators. */
export function sourcePages(context: Context) {
  return new Elysia({ name: 'sources.pages' })
    .use(gate(context, 'page'))
    .get(
      '/-/admin/auths',
      ({ viewer, request }) => {
        const sources = listSourceRows(context.db).map((row) => presentSource(context, row))
        return answerPage(<SourcesPage visit={new Visit(context, viewer, request)} sources={sources} />)
      },
      { siteAdmin: 'admin', detail: { hide: true } },
    )
    .get('/-/admin/auths/new', (asked) => show(context, asked, { form: emptySource(sourceKinds.find((kind) => kind === asked.query.type) ?? 'ldap') }), {
      siteAdmin: 'admin',
      query: KindQuery,
      detail: { hide: true },
    })
    .post('/-/admin/auths', (asked) => save(context, asked, undefined, asked.body as SourceForm), {
      siteAdmin: 'admin',
      body: SourceForm,
      detail: { hide: true },
    })
    .get('/-/admin/auths/:id', (asked) => showSaved(context, asked, rowIdIn(asked.params.id)), {
      siteAdmin: 'admin',
      params: SourceParams,
      detail: { hide: true },
    })
    .post('/-/admin/auths/:id', (asked) => save(context, asked, rowIdIn(asked.params.id), asked.body as SourceForm), {
      siteAdmin: 'admin',
      params: SourceParams,
      body: SourceForm,
      detail: { hide: true },
    })
    .post('/-/admin/auths/:id/delete', (asked) => remove(context, asked, rowIdIn(asked.params.id)), {
      siteAdmin: 'admin',
      params: SourceParams,
      detail: { hide: true },
    })
    .post('/-/admin/auths/:id/test', (asked) => test(context, asked, rowIdIn(asked.params.id), asked.body), {
      siteAdmin: 'admin',
      params: SourceParams,
      body: TestForm,
      detail: { hide: true },
    })
}

/** A source lets others in: after a while the password is asked for again. @throws NotFound */
function save(context: Context, asked: Asked, id: number | undefined, form: SourceForm): Promise<Response> {
  const { viewer, request } = asked
  const kind = id === undefined ? form.type : getSourceRow(context.db, id).kind
  const work = async () => {
    await context.authenticator.requireRecent(viewer, form.password, request)
    const options = optionsInSource(form, kind, id === undefined)
    const row = context.db.tx((tx) => {
      recheckAccount(tx, viewer.user)
      return id === undefined
        ? addSource(context, checkForm(CreateAuthSourceOption, options))
        : editSource(context, id, checkForm(EditAuthSourceOption, options))
    })
    return answerDone(
      new Visit(context, viewer, request),
      (visit) => visit.to`/-/admin/auths/${row.id}`,
      id === undefined ? `Authentication source “${row.name}” created` : `Authentication source “${row.name}” saved`,
    )
  }
  return attempt(work, (problem) => show(context, asked, { id, form: { ...form, type: kind }, problem }))
}

function remove(context: Context, asked: Asked, id: number): Promise<Response> {
  const work = () => {
    deleteSource(context, id)
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => visit.to`/-/admin/auths`, 'Authentication source deleted')
  }
  return attempt(work, (problem) => showSaved(context, asked, id, { problem }))
}

function test(context: Context, asked: Asked, id: number, { username, test_password: password }: Static<typeof TestForm>): Promise<Response> {
  const source = getSource(context, id)
  const work = async () => showSaved(context, asked, id, { tested: await testSource(context, source, { username, password }) })
  return attempt(work, (problem) => showSaved(context, asked, id, { problem }))
}

interface Outcome {
  problem?: Problem
  tested?: Static<typeof AuthSourceTest>
}

function showSaved(context: Context, asked: Asked, id: number, outcome: Outcome = {}): Response {
  return show(context, asked, { id, form: formOfSource(presentSource(context, getSourceRow(context.db, id))), ...outcome })
}

interface Shown extends Outcome {
  id?: number | undefined
  form: SourceForm
}

function show(context: Context, { viewer, request }: Asked, { id, form, problem, tested }: Shown): Response {
  const visit = new Visit(context, viewer, request)
  const page = <SourcePage visit={visit} id={id} form={form} error={problem?.message} isAsked={isPasswordAsked(context, viewer)} tested={tested} />
  return answerPage(page, problem?.status ?? 200)
}
