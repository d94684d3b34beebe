import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, lineOf, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, type Problem } from '#kernel/errors.ts'
import { parsePage } from '#kernel/page.ts'
import { removeEmails, searchEmails, vouchForEmail } from '#people/users/index.ts'
import { ActionButton, answerDone, answerPage, attempt, Empty, Pager, SearchForm, SiteFrame, Trouble, Visit } from '#web/index.ts'
import { EmailSearchQuery } from './schema.ts'

const PAGE_SIZE = 50
const EmailForm = t.Object({ username: t.String({ maxLength: 255 }), email: t.String({ maxLength: 254 }) })
type EmailForm = Static<typeof EmailForm>
type Query = Static<typeof EmailSearchQuery>

interface Asked {
  viewer: Member
  request: Request
}

/** The addresses of all accounts: an administrator can vouch for one, and take one away. */
export function emailPages(context: Context) {
  return new Elysia({ name: 'admin.email-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/emails', (asked) => show(context, asked, asked.query), { siteAdmin: 'admin', query: EmailSearchQuery, detail: { hide: true } })
    .post(
      '/-/admin/emails/confirm',
      (asked) => change(context, asked, asked.body, 'Email address confirmed', (user) => vouchForEmail(context, user, asked.body.email)),
      {
        siteAdmin: 'admin',
        body: EmailForm,
        detail: { hide: true },
      },
    )
    .post(
      '/-/admin/emails/delete',
      (asked) => change(context, asked, asked.body, 'Email address removed', (user) => context.db.tx((tx) => removeEmails(tx, user, [asked.body.email]))),
      { siteAdmin: 'admin', body: EmailForm, detail: { hide: true } },
    )
}

function change(context: Context, asked: Asked, form: EmailForm, text: string, work: (user: UserRow) => void): Promise<Response> {
  const done = () => {
    const user = accessStore.findUserByName(context.db, form.username)
    if (user?.kind !== 'person') throw new NotFound()
    work(user)
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => `${visit.to`/-/admin/emails`}?q=${encodeURIComponent(form.username)}`, text)
  }
  return attempt(done, (problem) => show(context, asked, { q: form.username }, problem))
}

async function show(context: Context, { viewer, request }: Asked, query: Query, problem?: Problem): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = await searchEmails(context.db, lineOf(viewer), query.q?.trim() ?? '', page)
  const address = visit.to`/-/admin/emails`
  return answerPage(
    <SiteFrame visit={visit} subject="emails" title="Email addresses">
      <Trouble text={problem?.message} />
      <SearchForm action={address} label="Search by email address or username" q={query.q} />
      {rows.length === 0 && <Empty visit={visit} icon="mail" title="No email addresses found" />}
      {rows.length > 0 && (
        <ul class="list">
          {rows.map((row) => (
            <li class="bar">
              <div>
                {row.email}
                {row.is_primary === 1 && <span class="mark">Primary</span>}
                {row.is_verified === 0 && <span class="mark">Unconfirmed</span>}
                <p class="faint">
                  {'Account: '}
                  <a href={visit.to`/-/admin/users/${row.user_id}/edit`}>{row.username}</a>
                </p>
              </div>
              <div class="buttons">
                {row.is_verified === 0 && <EmailAction action={`${address}/confirm`} row={row} label="Confirm" />}
                {row.is_primary === 0 && <EmailAction action={`${address}/delete`} row={row} label="Remove" isDanger />}
              </div>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>,
    problem?.status ?? 200,
  )
}

function EmailAction({ action, row, label, isDanger = false }: { action: string; row: EmailForm; label: string; isDanger?: boolean }) {
  return (
    <ActionButton action={action} to={row.email} name="email" value={row.email} isDanger={isDanger} fields={{ username: row.username }}>
      {label}
    </ActionButton>
  )
}
