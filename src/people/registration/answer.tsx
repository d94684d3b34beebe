import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import { LinkOver } from '#kernel/errors.ts'
import { enter } from '#people/second-factors/index.ts'
import { answerPage, attempt, seeOther, type Visit } from '#web/index.ts'
import { activate, findActivation, mailActivationAgain } from './activate.ts'
import { findRecovery, recover, requestRecovery } from './recover.ts'
import { register } from './register.ts'
import { activationOf, whyClosed } from './rules.ts'
import type { ActivateForm, ForgotForm, RecoverForm, SignUpForm } from './schema.ts'
import { ActivatePage, ForgotPage, MailAgainPage, NoticePage, RecoverPage, SignUpPage } from './templates.tsx'
import { StrangersThrottle } from './throttle.ts'

const noStore = { 'Cache-Control': 'no-store' }

const mailed = {
  title: 'Check your email',
  text: 'An email with a link was sent to the address that you entered. If it does not arrive, check your spam folder.',
}
const waiting = { title: 'Account created', text: 'A site administrator must activate your account before you can sign in.' }

export function showSignUp(context: Pick<Context, 'config' | 'mail'>, visit: Visit): Response {
  if (visit.viewer.user) return seeOther(visit.to`/`)
  const reason = whyClosed(context)
  if (reason !== undefined) return answerPage(<NoticePage visit={visit} title="Registration is closed" text={reason} />, 403)
  return answerPage(<SignUpPage visit={visit} leastPassword={leastPassword(context)} />)
}

export function signUp(context: Context, visit: Visit, request: Request, form: Static<typeof SignUpForm>): Promise<Response> {
  if (whyClosed(context) !== undefined) return Promise.resolve(showSignUp(context, visit))
  return attempt(
    async () => {
      context.services.get(StrangersThrottle).countAccount(request)
      const user = await register(context, { username: form.user_name, email: form.email, password: form.password })
      const activation = activationOf(context.config)
      if (activation === 'none') return enter(context, visit, request, user, '/')
      return answerPage(<NoticePage visit={visit} {...(activation === 'mail' ? mailed : waiting)} />)
    },
    ({ status, message, headers }) =>
      answerPage(<SignUpPage visit={visit} typed={form} leastPassword={leastPassword(context)} error={message} />, status, headers),
  )
}

/** A link that leads nowhere any more is met with the way to another one. */
function unlessOver(show: () => Response, instead: (why: string) => Response): Response {
  try {
    return show()
  } catch (error) {
    if (error instanceof LinkOver) return instead(error.message)
    throw error
  }
}

export function showActivation(context: Pick<Context, 'config' | 'db' | 'clock'>, visit: Visit, code: string | undefined): Response {
  if (code === undefined) return answerPage(<MailAgainPage visit={visit} />)
  return unlessOver(
    () => answerPage(<ActivatePage visit={visit} code={code} name={findActivation(context, code).name} />, 200, noStore),
    (why) => answerPage(<MailAgainPage visit={visit} error={why} />, 404, noStore),
  )
}

export function activateBy(context: Context, visit: Visit, request: Request, form: Static<typeof ActivateForm>): Promise<Response> {
  const { code } = form
  if (code === undefined) return mailAgain(context, visit, request, form)
  const { name } = findActivation(context, code)
  return attempt(
    async () => enter(context, visit, request, await activate(context, request, code, form.password), '/'),
    ({ status, message, headers }) => answerPage(<ActivatePage visit={visit} code={code} name={name} error={message} />, status, { ...noStore, ...headers }),
  )
}

function mailAgain(context: Context, visit: Visit, request: Request, form: Static<typeof ActivateForm>): Promise<Response> {
  const { user_name = '', password, email = '' } = form
  return attempt(
    async () => {
      context.services.get(StrangersThrottle).countMail(request)
      await mailActivationAgain(context, request, { name: user_name, password, email: email.trim() })
      return answerPage(<NoticePage visit={visit} {...mailed} />)
    },
    ({ status, message, headers }) => answerPage(<MailAgainPage visit={visit} typed={{ user_name, email }} error={message} />, status, headers),
  )
}

export function showForgot(context: Pick<Context, 'mail'>, visit: Visit): Response {
  if (context.mail.isOn) return answerPage(<ForgotPage visit={visit} />)
  const text = 'This server does not send email. Ask a site administrator to reset your password.'
  return answerPage(<NoticePage visit={visit} title="Forgot password" text={text} />)
}

/** Says the same whether or not the address is anybody's. @throws NotFound while no mail is sent */
export function forget(context: Context, visit: Visit, request: Request, { email: [email = ''] }: Static<typeof ForgotForm>): Promise<Response> {
  return attempt(
    () => {
      context.services.get(StrangersThrottle).countMail(request)
      requestRecovery(context, email.trim())
      const text = 'If the address belongs to an account, an email with a link was sent to it. If it does not arrive, check your spam folder.'
      return answerPage(<NoticePage visit={visit} title={mailed.title} text={text} />)
    },
    (problem) => {
      if (problem.status === 404) throw problem
      return answerPage(<ForgotPage visit={visit} email={email} error={problem.message} />, problem.status, problem.headers)
    },
  )
}

export function showRecovery(context: Pick<Context, 'config' | 'db' | 'clock'>, visit: Visit, code: string): Response {
  return unlessOver(
    () => answerPage(<RecoverPage visit={visit} code={code} {...recoveryOf(context, code)} />, 200, noStore),
    (why) => answerPage(<ForgotPage visit={visit} error={why} />, 404, noStore),
  )
}

export function recoverBy(context: Context, visit: Visit, request: Request, form: Static<typeof RecoverForm>): Promise<Response> {
  const shown = recoveryOf(context, form.code)
  return attempt(
    async () => {
      const user = await recover(context, request, { code: form.code, password: form.password, factor: form.passcode ?? '' })
      // Who has given the code of an app just now is not asked for another.
      if (!shown.asksCode) return enter(context, visit, request, user, '/')
      return seeOther(visit.to`/`, { 'Set-Cookie': context.authenticator.sessions.begin(user, request) })
    },
    ({ status, message, headers }) => answerPage(<RecoverPage visit={visit} code={form.code} {...shown} error={message} />, status, { ...noStore, ...headers }),
  )
}

function recoveryOf(context: Pick<Context, 'config' | 'db' | 'clock'>, code: string) {
  const { user, asksCode } = findRecovery(context, code)
  return { name: user.name, asksCode, leastPassword: leastPassword(context) }
}

function leastPassword({ config }: Pick<Context, 'config'>): number {
  return config.security.MIN_PASSWORD_LENGTH
}
