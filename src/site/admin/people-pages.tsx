import { Elysia } from 'elysia'
import { gate, MadeLately, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { type Page, parsePage } from '#kernel/page.ts'
import {
  answerDone,
  answerPage,
  attempt,
  checkForm,
  isPasswordAsked,
  Pager,
  PasswordField,
  PeopleList,
  SearchForm,
  SiteFrame,
  SubmitButton,
  Trouble,
  Visit,
  visibilityMarks,
} from '#web/index.ts'
import { createAccount } from './create-account.ts'
import { listAccounts } from './list-accounts.ts'
import { NewPersonFields, NewPersonForm } from './person-form.tsx'
import { AdminUserQuery, CreateUserOption } from './schema.ts'

const PAGE_SIZE = 50
type Query = Partial<Record<keyof typeof AdminUserQuery.properties, string>>

interface Asked {
  viewer: Member
  request: Request
}

/** Everybody who has an account, and where accounts are made. */
export function peoplePages(context: Context) {
  return new Elysia({ name: 'admin.people-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/users', (asked) => list(context, asked, asked.query), { siteAdmin: 'admin', query: AdminUserQuery, detail: { hide: true } })
    .get('/-/admin/users/new', (asked) => showNew(context, asked, { username: '', email: '', must_change_password: true }), {
      siteAdmin: 'admin',
      detail: { hide: true },
    })
    .post('/-/admin/users/new', (asked) => create(context, asked, asked.body), { siteAdmin: 'admin', body: NewPersonForm, detail: { hide: true } })
}

async function list(context: Context, { viewer, request }: Asked, query: Query): Promise<Response> {
  const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await listAccounts(context.db, viewer, query, page)
  return answerPage(<PeoplePage visit={new Visit(context, viewer, request)} people={rows} query={query} page={page} total={total} />)
}

/** An account lets somebody in: after a while the administrator's own password is asked for again. */
function create(context: Context, asked: Asked, form: NewPersonForm): Promise<Response> {
  const { viewer, request } = asked
  const work = async () => {
    await context.authenticator.requireRecent(viewer, form.own_password, request)
    const { own_password: _, ...rest } = form
    const asked = { ...checkForm(CreateUserOption, rest), must_change_password: form.must_change_password === true }
    const user = await context.services.get(MadeLately).once(viewer, ['account', asked], () => createAccount(context, viewer, asked))
    return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/users/${user.id}/edit`, `Account “${user.name}” created`)
  }
  return attempt(work, (problem) => showNew(context, asked, form, problem))
}

function showNew(context: Context, { viewer, request }: Asked, form: NewPersonForm, problem?: Problem): Response {
  const visit = new Visit(context, viewer, request)
  return answerPage(
    <SiteFrame visit={visit} subject="people" title="New account">
      <form class="fields" method="post" action={visit.to`/-/admin/users/new`}>
        <Trouble text={problem?.message} />
        <NewPersonFields form={form} sendsMail={context.mail.isOn} />
        <PasswordField name="own_password" isAsked={isPasswordAsked(context, viewer)} />
        <SubmitButton>Create account</SubmitButton>
      </form>
    </SiteFrame>,
    problem?.status ?? 200,
  )
}

/** Lists that are often asked for, by their links. */
const lists = [
  ['All', ''],
  ['Administrators', '?is_admin=true'],
  ['Inactive', '?is_active=false'],
  ['Suspended', '?is_prohibit_login=true'],
  ['Restricted', '?is_restricted=true'],
  ['Newest first', '?sort=newest'],
] as const

interface Props {
  visit: Visit
  people: readonly UserRow[]
  query: Query
  page: Page
  total: number
}

function PeoplePage({ visit, people, query, page, total }: Props) {
  const address = visit.to`/-/admin/users`
  const listed = people.map((user) => ({
    ...user,
    marks: marksOf(user),
    actions: (
      <a class="button" href={visit.to`/-/admin/users/${user.id}/edit`} aria-label={`Settings of ${user.name}`}>
        Settings
      </a>
    ),
  }))
  return (
    <SiteFrame visit={visit} subject="people" title="Users">
      <div class="bar">
        <SearchForm action={address} label="Search by name or email address" q={query.q} />
        <a class="button primary" href={`${address}/new`}>
          New account
        </a>
      </div>
      <nav class="ways" aria-label="Filter users">
        {lists.map(([label, search]) => (
          <a href={address + search} aria-current={visit.path.endsWith(`/users${search}`) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <PeopleList visit={visit} people={listed} none="No users found" />
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>
  )
}

/** What an administrator wants to see of an account at a glance. */
export function marksOf(user: UserRow): string[] {
  const marks: [number, string][] = [
    [user.is_admin, 'Administrator'],
    [1 - user.is_active, 'Inactive'],
    [user.prohibit_login, 'Suspended'],
    [user.is_restricted, 'Restricted'],
  ]
  return [...marks.flatMap(([is, mark]) => (is === 1 ? [mark] : [])), ...visibilityMarks[user.visibility]]
}
