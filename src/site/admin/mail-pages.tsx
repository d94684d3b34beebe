import { Elysia, t } from 'elysia'
import { gate, type Member, PageQuery } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { parsePage } from '#kernel/page.ts'
import type { WaitingMail } from '#outbound/mail/index.ts'
import { ActionButton, answerDone, answerPage, countText, Empty, Pager, SiteFrame, Time, Visit } from '#web/index.ts'

const PAGE_SIZE = 50
const MailForm = t.Object({ id: t.Optional(t.String({ maxLength: 20 })) })

interface Asked {
  viewer: Member
  request: Request
}

/** Mail that waits to be sent, why it does, and the ways to have it go now or never. */
export function mailPages(context: Context) {
  const back = ({ viewer, request }: Asked, text: string) => answerDone(new Visit(context, viewer, request), (visit) => visit.to`/-/admin/mail`, text)
  return new Elysia({ name: 'admin.mail-pages' })
    .use(gate(context, 'page'))
    .get('/-/admin/mail', (asked) => show(context, asked, asked.query), { siteAdmin: 'admin', query: PageQuery, detail: { hide: true } })
    .post(
      '/-/admin/mail/send',
      async (asked) => {
        await context.mail.hasten(asked.body.id === undefined ? undefined : rowIdIn(asked.body.id))
        return back(asked, 'Sending started')
      },
      { siteAdmin: 'admin', body: MailForm, detail: { hide: true } },
    )
    .post(
      '/-/admin/mail/drop',
      (asked) => {
        context.mail.drop(rowIdIn(asked.body.id ?? ''))
        return back(asked, 'Mail deleted')
      },
      { siteAdmin: 'admin', body: MailForm, detail: { hide: true } },
    )
}

function show(context: Context, { viewer, request }: Asked, query: { page?: string }): Response {
  const visit = new Visit(context, viewer, request)
  const page = parsePage(query, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
  const { rows, total } = context.mail.listWaiting(page)
  const now = context.clock.seconds()
  return answerPage(
    <SiteFrame visit={visit} subject="mail" title="Mail queue">
      {!context.mail.isOn && <p>This server does not send email: mailer.ENABLED is off or network.OFFLINE is on.</p>}
      {rows.length === 0 && <Empty visit={visit} icon="mail" title="No queued mail" />}
      {rows.length > 0 && (
        <>
          {context.mail.isOn && <ActionButton action={visit.to`/-/admin/mail/send`}>Send all now</ActionButton>}
          <ul class="list">
            {rows.map((mail) => (
              <Mail visit={visit} mail={mail} now={now} maySend={context.mail.isOn} />
            ))}
          </ul>
        </>
      )}
      <Pager visit={visit} page={page} total={total} />
    </SiteFrame>,
  )
}

function Mail({ visit, mail, now, maySend }: { visit: Visit; mail: WaitingMail; now: number; maySend: boolean }) {
  const what = `${mail.subject} to ${mail.address}`
  return (
    <li class="bar">
      <div>
        {mail.subject}
        <p class="faint">
          {`To ${mail.address}, `}
          <a href={visit.to`/-/admin/users/${mail.user_id}/edit`}>{mail.name}</a>
          {', created '}
          <Time at={mail.created_at} now={now} />
          {`, ${countText(mail.attempts, 'attempt')}, next attempt `}
          <Time at={mail.next_attempt_at} now={now} />
        </p>
        {mail.failure !== '' && <p>{mail.failure}</p>}
      </div>
      <div class="buttons">
        {maySend && (
          <ActionButton action={visit.to`/-/admin/mail/send`} to={what} name="id" value={mail.id}>
            Send now
          </ActionButton>
        )}
        <ActionButton action={visit.to`/-/admin/mail/drop`} to={what} name="id" value={mail.id} isDanger>
          Delete
        </ActionButton>
      </div>
    </li>
  )
}
