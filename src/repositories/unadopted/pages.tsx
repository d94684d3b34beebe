import { Elysia, type Static, t } from 'elysia'
import { gate, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Problem, Unprocessable } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import {
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  ConfirmingField,
  Empty,
  isPasswordAsked,
  Pager,
  PasswordField,
  SearchForm,
  SiteFrame,
  SubmitButton,
  Trouble,
  Visit,
} from '#web/index.ts'
import { adopt } from './adopt.ts'
import { deleteUnadopted } from './delete-unadopted.ts'
import { listUnadopted } from './list-unadopted.ts'
import { getUnadopted } from './unadopted.ts'

const PAGE_SIZE = 30
const UnadoptedQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 256 })) })
const PlaceForm = t.Object({ place: t.String({ maxLength: 512 }) })
const DeleteForm = t.Object({ place: t.String({ maxLength: 512 }), name: t.String({ maxLength: 512 }), password: t.Optional(t.String({ maxLength: 1024 })) })
type DeleteForm = Static<typeof DeleteForm>

interface Asked {
  viewer: Member
  request: Request
}

/** Repositories that somebody put into the data directory: taken in, or removed. */
export function unadoptedPages(context: Context) {
  return new Elysia({ name: 'unadopted.pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/repos/unadopted', (asked) => show(context, asked, asked.query), { siteAdmin: 'admin', query: UnadoptedQuery, detail: { hide: true } })
    .post(
      '/-/admin/repos/unadopted/adopt',
      ({ viewer, request, body }) => {
        const work = async () => {
          const found = placeOf(context, body.place)
          await adopt(context, viewer.user, found)
          return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/${found.fullName}`, 'Repository adopted')
        }
        return attempt(work, (problem) => show(context, { viewer, request }, {}, { problem }))
      },
      { siteAdmin: 'admin', body: PlaceForm, detail: { hide: true } },
    )
    .post('/-/admin/repos/unadopted/delete', (asked) => remove(context, asked, asked.body), { siteAdmin: 'admin', body: DeleteForm, detail: { hide: true } })
}

function placeOf(context: Pick<Context, 'db' | 'git'>, place: string) {
  const slash = place.indexOf('/')
  return getUnadopted(context, place.slice(0, slash), place.slice(slash + 1))
}

/** What cannot be taken back wants the name typed and, after a while, the password. */
function remove(context: Context, asked: Asked, form: DeleteForm): Promise<Response> {
  const { viewer, request } = asked
  const work = async () => {
    if (form.name !== form.place) throw new Unprocessable(`The name does not match. Type ${form.place} to delete the repository.`)
    await context.authenticator.requireRecent(viewer, form.password, request)
    deleteUnadopted(context, placeOf(context, form.place))
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/repos/unadopted`, `“${form.place}” deleted`)
  }
  return attempt(work, (problem) => show(context, asked, {}, { problem, form }))
}

interface Refused {
  problem: Problem
  form?: DeleteForm
}

async function show(context: Context, { viewer, request }: Asked, query: Static<typeof UnadoptedQuery>, refused?: Refused): Promise<Response> {
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const places = await listUnadopted(context, query.q ?? '')
  const list = { places: places.slice(page.offset, page.offset + page.limit), page, total: places.length, q: query.q }
  const visit = new Visit(context, viewer, request)
  const isAsked = isPasswordAsked(context, viewer)
  return answerPage(<UnadoptedPage visit={visit} {...list} isAsked={isAsked} refused={refused} />, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  places: readonly string[]
  page: Page
  total: number
  q: string | undefined
  isAsked: boolean
  refused: Refused | undefined
}

function UnadoptedPage({ visit, places, page, total, q, isAsked, refused }: Props) {
  const address = visit.to`/-/admin/repos/unadopted`
  return (
    <SiteFrame visit={visit} subject="unadopted" title="Unadopted repositories">
      <p>Bare repositories in the data directory (repositories/owner/name.git) that are not registered on this server. Adopt a repository to register it.</p>
      <Trouble text={refused?.problem.message} />
      <SearchForm action={address} label="Search by owner or owner/name (wildcards: * and ?)" q={q} />
      {places.length === 0 && <Empty visit={visit} icon="repo" title="No unadopted repositories" />}
      {places.length > 0 && (
        <ul class="list">
          {places.map((place) => (
            <li>
              <div class="bar">
                <span>{place}</span>
                <ActionButton action={`${address}/adopt`} to={place} name="place" value={place}>
                  Adopt repository
                </ActionButton>
              </div>
              <details open={refused?.form?.place === place}>
                <summary>Delete instead</summary>
                <form class="fields" method="post" action={`${address}/delete`}>
                  <input type="hidden" name="place" value={place} />
                  <ConfirmingField name="name" whole={place} value={refused?.form?.place === place ? refused.form.name : undefined} />
                  <PasswordField isAsked={isAsked} />
                  <SubmitButton isDanger>Delete permanently</SubmitButton>
                </form>
              </details>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>
  )
}
