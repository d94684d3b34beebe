import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { answerPage, Layout, SubmitButton, Visit } from '#web/index.ts'
import { confirmEmail, getProof } from './prove-email.ts'

const Code = t.Object({ code: t.String({ maxLength: 100 }) })
const PATH = '/user/activate_email'
const TITLE = 'Confirm your email address'
/** Its address is the proof. */
const notKept = { 'Cache-Control': 'no-store' }

/** Where the link in a mail leads. Programs that look into mail follow links: only the form's POST confirms. */
export function emailPages(context: Context) {
  return new Elysia({ name: 'users.email-pages' })
    .use(gate(context, 'page'))
    .get(
      PATH,
      ({ viewer, request, query: { code } }) => {
        const { email } = getProof(context, code)
        return answerPage(<ConfirmPage visit={new Visit(context, viewer, request)} code={code} email={email} />, 200, notKept)
      },
      { signingIn: true, query: Code, detail: { hide: true } },
    )
    .post(
      PATH,
      ({ viewer, request, body: { code } }) => {
        const { email } = confirmEmail(context, code)
        return answerPage(<ConfirmedPage visit={new Visit(context, viewer, request)} email={email} />, 200, notKept)
      },
      { signingIn: true, body: Code, detail: { hide: true } },
    )
}

function ConfirmPage({ visit, code, email }: { visit: Visit; code: string; email: string }) {
  return (
    <Layout visit={visit} title={TITLE}>
      <form class="form" method="post" action={visit.below(PATH)}>
        <h1>{TITLE}</h1>
        <input type="hidden" name="code" value={code} />
        <p>
          Confirm that <strong>{email}</strong> is your email address.
        </p>
        <SubmitButton>Confirm email address</SubmitButton>
      </form>
    </Layout>
  )
}

function ConfirmedPage({ visit, email }: { visit: Visit; email: string }) {
  return (
    <Layout visit={visit} title="Email address confirmed">
      <div class="form">
        <h1>Email address confirmed</h1>
        <p>
          <strong>{email}</strong> is now a confirmed email address of your account.
        </p>
        <p>
          <a href={visit.to`/user/settings/emails`}>Email addresses</a>
        </p>
      </div>
    </Layout>
  )
}
