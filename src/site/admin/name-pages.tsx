import { Elysia, type Static, t } from 'elysia'
import { gate, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { parsePage } from '#kernel/page.ts'
import { blockName, freeName, userStore } from '#people/users/index.ts'
import {
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  Empty,
  Pager,
  SearchForm,
  SiteFrame,
  SubmitButton,
  TextField,
  Time,
  Trouble,
  Visit,
} from '#web/index.ts'

const PAGE_SIZE = 50
const NamesQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 255 })) })
const NameForm = t.Object({ name: t.String({ maxLength: 255 }) })

interface Asked {
  viewer: Member
  request: Request
}

/** Reserved names: those of deleted and renamed accounts, and blocked ones. */
export function namePages(context: Context) {
  return new Elysia({ name: 'admin.name-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/names', (asked) => show(context, asked, asked.query), { siteAdmin: 'admin', query: NamesQuery, detail: { hide: true } })
    .post(
      '/-/admin/names',
      (asked) => change(context, asked, asked.body.name, `Name “${asked.body.name.trim()}” reserved`, () => void blockName(context, asked.body.name.trim())),
      {
        siteAdmin: 'admin',
        body: NameForm,
        detail: { hide: true },
      },
    )
    .post(
      '/-/admin/names/release',
      (asked) => change(context, asked, '', `Name “${asked.body.name}” released`, () => void freeName(context, asked.body.name)),
      {
        siteAdmin: 'admin',
        body: NameForm,
        detail: { hide: true },
      },
    )
}

function change(context: Context, asked: Asked, typed: string, text: string, work: () => void): Promise<Response> {
  const done = () => {
    work()
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => visit.to`/-/admin/names`, text)
  }
  return attempt(done, (problem) => show(context, asked, {}, { typed, problem }))
}

const reasons: Record<string, string> = { renamed: 'Former name of an account', deleted: 'Name of a deleted account', blocked: 'Reserved by an administrator' }

async function show(
  context: Context,
  { viewer, request }: Asked,
  query: Static<typeof NamesQuery>,
  refused?: { typed: string; problem: Problem },
): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await userStore.searchReservedNames(context.db, viewer, query.q?.trim() ?? '', page)
  const address = visit.to`/-/admin/names`
  return answerPage(
    <SiteFrame visit={visit} subject="names" title="Reserved names">
      <SearchForm action={address} label="Search names" q={query.q} />
      {rows.length === 0 && <Empty visit={visit} icon="person" title="No reserved names found" />}
      {rows.length > 0 && (
        <ul class="list">
          {rows.map((row) => (
            <li class="bar">
              <span>
                {row.lower_name} <span class="mark">{reasons[row.reason] ?? row.reason}</span>
                {row.leads_to && (
                  <>
                    {' '}
                    redirects to <a href={visit.to`/${row.leads_to}`}>{row.leads_to}</a>
                  </>
                )}{' '}
                <span class="faint">
                  <Time at={row.created_at} />
                  {row.addresses && `, with ${row.addresses.replaceAll(' ', ', ')}`}
                </span>
              </span>
              <ActionButton action={`${address}/release`} to={row.lower_name} name="name" value={row.lower_name}>
                Release
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      <form class="fields" method="post" action={address}>
        <h2>Reserve a name</h2>
        <p>No one can register a reserved name or rename an account to it. A site administrator can give the name of a deleted account to a new account.</p>
        <Trouble text={refused?.problem.message} />
        <TextField name="name" label="Name" value={refused?.typed} most={40} isRequired isExact />
        <SubmitButton>Reserve name</SubmitButton>
      </form>
    </SiteFrame>,
    refused?.problem.status ?? 200,
  )
}
