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
  offered: 'A repository is offered to me or my organization',
  review_requested: 'My review of a pull request is asked for, or my team’s',
  assigned: 'I am assigned to it',
  mentioned: 'Somebody writes @ and my name, or my team’s',
  reviewed: 'My review of it is dismissed',
  author: 'I opened it, and somebody goes on with it',
  subscribed: 'I asked to be told of it',
  participating: 'I wrote there, and somebody else does',
  watching: 'I watch its repository',
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
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/notifications`, 'Saved what you are told of')
      },
      { ...terms, body: ChoicesForm },
    )
}

function ChoicesPage({ visit, muted }: { visit: Visit; muted: ReadonlySet<Reason> }) {
  return (
    <AccountFrame visit={visit} subject="notifications" title="What you are told of">
      <EditForm class="fields" action={visit.to`/user/settings/notifications`}>
        <fieldset class="choices">
          <legend>Notify me when</legend>
          {reasons.map((reason) => (
            <Choice name="told" value={reason} label={labels[reason]} isOn={!muted.has(reason)} />
          ))}
        </fieldset>
        <p class="faint">Any one of these is enough. What you were told of already stays where it is.</p>
        <SubmitButton>Save</SubmitButton>
      </EditForm>
      <h2>Where you are told of everything, or of nothing</h2>
      <p>
        <a href={visit.to`/notifications/watching`}>Repositories that you watch</a> tell you of all that happens in their issues and pull requests. For single
        ones of these, <a href={visit.to`/notifications/subscriptions`}>your subscriptions</a> go before everything else.
      </p>
    </AccountFrame>
  )
}
