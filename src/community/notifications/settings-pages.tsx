import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { AccountFrame, answerDone, answerPage, Choice, EditForm, SubmitButton, Visit } from '#web/index.ts'
import { type Reason, reasons } from './reasons.ts'
import { listMutes, replaceMutes } from './store.ts'

const ChoicesForm = t.Object({ told: t.Optional(t.Array(t.String({ maxLength: 50 }), { maxItems: 50 })) })
const ADDRESS = '/user/settings/notifications'
/** Copied for each route: what a gate adds to it is of one server. */
const terms = { signedIn: [], detail: { hide: true } } as const

/** What each choice says; in the order in which they go before each other. */
const labels: Record<Reason, string> = {
  offered: 'Repository transfers to me or my organizations',
  review_requested: 'Review requests for me or my teams',
  assigned: 'Issues and pull requests assigned to me',
  mentioned: 'Mentions of me or my teams',
  reviewed: 'Dismissals of my reviews',
  author: 'Activity in issues and pull requests that I opened',
  subscribed: 'Activity in issues and pull requests that I am subscribed to',
  participating: 'Activity in issues and pull requests that I commented on',
  watching: 'Activity in repositories that I watch',
}

/** What an account is told of. */
export function choicePages(context: Context) {
  return new Elysia({ name: 'notifications.choices' })
    .use(gate(context, 'page'))
    .get(
      ADDRESS,
      ({ viewer, request }) => {
        const muted = new Set(listMutes(context.db, [viewer.user.id]).map(({ reason }) => reason))
        return answerPage(<ChoicesPage visit={new Visit(context, viewer, request)} muted={muted} />)
      },
      { ...terms },
    )
    .post(
      ADDRESS,
      ({ viewer, request, body }) => {
        const muted = reasons.filter((reason) => body.told?.includes(reason) !== true)
        context.db.tx((tx) => replaceMutes(tx, viewer.user.id, muted))
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/notifications`, 'Notification settings saved')
      },
      { ...terms, body: ChoicesForm },
    )
}

function ChoicesPage({ visit, muted }: { visit: Visit; muted: ReadonlySet<Reason> }) {
  return (
    <AccountFrame visit={visit} subject="notifications" title="Notification settings">
      <EditForm class="fields" action={visit.to`/user/settings/notifications`}>
        <fieldset class="choices">
          <legend>Notify me about</legend>
          {reasons.map((reason) => (
            <Choice name="told" value={reason} label={labels[reason]} isOn={!muted.has(reason)} />
          ))}
        </fieldset>
        <p class="faint">You get a notification if any selected reason applies. Changes do not affect existing notifications.</p>
        <SubmitButton>Save settings</SubmitButton>
      </EditForm>
      <h2>Watched repositories and subscriptions</h2>
      <p>
        You get notifications about all issues and pull requests in the <a href={visit.to`/notifications/watching`}>repositories that you watch</a>. For a
        single issue or pull request, <a href={visit.to`/notifications/subscriptions`}>your subscription</a> overrides these settings.
      </p>
    </AccountFrame>
  )
}
