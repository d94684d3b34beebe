import type { Static } from 'elysia'
import { accessStore, forgetting, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { LinkOver } from '#kernel/errors.ts'
import { rawHeaders } from '#kernel/http.ts'
import { whyClosed } from '#people/registration/index.ts'
import { enter, enterByPasskey, offerPasskey, type PasskeyAnswer } from '#people/second-factors/index.ts'
import { sourcesElsewhere } from '#people/sign-on/index.ts'
import { changeOwnPassword } from '#people/users/index.ts'
import { answerPage, mendable, safeReturn, seeOther, type Visit } from '#web/index.ts'
import type { ChangePasswordForm, SignInForm } from './schema.ts'
import { LinkPage, type OtherWays, PasswordPage, SessionsPage, SignedOutPage, SignInPage } from './templates.tsx'

/** Where it shows what somebody typed. */
const notKept = { 'Cache-Control': 'no-store' }
const WRONG = 'Incorrect username or password.'

/** Who is signed in already is where they wanted to go. */
export function showSignIn(context: Context, visit: Visit, redirectTo: string | undefined): Response {
  const path = safeReturn(redirectTo)
  return visit.viewer.user ? seeOther(visit.below(path)) : answerSignIn(context, visit, { redirectTo: path })
}

export async function signIn(context: Context, visit: Visit, request: Request, form: Static<typeof SignInForm>): Promise<Response> {
  const redirectTo = safeReturn(form.redirect_to)
  const refuse = (status: number, error: string, headers = {}) =>
    answerSignIn(context, visit, { name: form.user_name, redirectTo, error }, status, { ...notKept, ...headers })
  try {
    const user = await context.authenticator.checkPassword(form.user_name, form.password, request)
    if (!user) return refuse(401, WRONG)
    return enter(context, visit, request, user, redirectTo)
  } catch (error) {
    const problem = mendable(error)
    return refuse(problem.status, problem.message, problem.headers)
  }
}

/** What a passkey is to sign, for the script of the page: good once and for some minutes, where the page is the same for everybody. */
export function askForPasskey(context: Pick<Context, 'config' | 'secrets' | 'clock'>, visit: Visit): Response {
  return Response.json(offerPasskey(context, visit), { headers: { 'Cache-Control': 'no-store' } })
}

/** By a passkey, which stands for name, password and second factor at once. */
export async function signInByPasskey(context: Context, visit: Visit, request: Request, form: Static<typeof PasskeyAnswer>): Promise<Response> {
  const redirectTo = safeReturn(form.redirect_to)
  try {
    return seeOther(visit.below(redirectTo), { 'Set-Cookie': await enterByPasskey(context, visit, request, form) })
  } catch (error) {
    const problem = mendable(error)
    return answerSignIn(context, visit, { redirectTo, error: problem.message }, problem.status, { ...notKept, ...problem.headers })
  }
}

type Draft = Omit<Parameters<typeof SignInPage>[0], 'visit' | 'elsewhere' | 'takesPasskeys' | 'others'>

function answerSignIn(context: Context, visit: Visit, draft: Draft, status?: number, headers?: Record<string, string>): Response {
  const takesPasskeys = context.config.service.ENABLE_PASSKEY_AUTHENTICATION
  const page = <SignInPage visit={visit} {...draft} elsewhere={sourcesElsewhere(context)} takesPasskeys={takesPasskeys} others={otherWays(context)} />
  return answerPage(page, status, headers)
}

function otherWays(context: Pick<Context, 'config' | 'mail'>): OtherWays {
  const registers = whyClosed(context) === undefined
  return { registers, activates: registers && context.config.service.REGISTER_EMAIL_CONFIRM, recovers: context.mail.isOn }
}

export function showSignInLink(visit: Visit, secret: string, user: UserRow): Response {
  return answerPage(<LinkPage visit={visit} secret={secret} name={user.name} />, 200, { 'Cache-Control': 'no-store' })
}

/** Ends the session, and leads to a page that says so. */
export function signOut({ authenticator }: Pick<Context, 'authenticator'>, visit: Visit, request: Request): Response {
  return seeOther(visit.to`/user/signed_out`, authenticator.sessions.end(request))
}

/** Who has signed in again meanwhile, and comes back to it, is where they want to go. */
export function showSignedOut(visit: Visit): Response {
  if (visit.viewer.user) return seeOther(visit.to`/`)
  return answerPage(<SignedOutPage visit={visit} />, 200, { 'Cache-Control': 'no-store' })
}

/** What a browser keeps of a page when it leaves it, it keeps after it has read the answer that tells it to forget all: so it is told once more. */
export function answerForgetting(): Response {
  const nothing = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  return new Response(nothing, { headers: { ...rawHeaders, ...forgetting, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'no-store' } })
}

/**
 * The link stands for the password, not for the second factor: whoever reads the log that it was printed in has neither.
 * @throws NotFound when it was used, or is over
 */
export function signInByLink(context: Pick<Context, 'authenticator' | 'services'>, visit: Visit, request: Request, secret: string): Response {
  const user = context.authenticator.sessions.useLink(secret)
  if (!user) throw new LinkOver()
  return enter(context, visit, request, user, '/')
}

export function showPasswordForm(visit: Visit, user: UserRow): Response {
  return answerPage(<PasswordPage visit={visit} isForced={user.must_change_password === 1} />)
}

/** The browsers in which the account is signed in, each with a way to end that. */
export async function showSessions(context: Pick<Context, 'authenticator'>, visit: Visit, { user, sessionId }: Member): Promise<Response> {
  const { nameBrowser } = await import('./name-browser.ts')
  return answerPage(<SessionsPage visit={visit} sessions={context.authenticator.sessions.list(user)} current={sessionId} nameBrowser={nameBrowser} />)
}

/** All sessions of the account end with its password; this browser gets a new one. */
export async function changePasswordBy(
  context: Context,
  visit: Visit,
  { user }: Member,
  request: Request,
  form: Static<typeof ChangePasswordForm>,
): Promise<Response> {
  const isForced = user.must_change_password === 1
  const refuse = (status: number, error: string) => answerPage(<PasswordPage visit={visit} isForced={isForced} error={error} />, status)
  try {
    const proven = await context.authenticator.checkPassword(user.name, form.old_password, request)
    if (proven?.id !== user.id) return refuse(401, 'The current password is incorrect.')
    await changeOwnPassword(context, proven, form.password)
  } catch (error) {
    const problem = mendable(error)
    return refuse(problem.status, problem.message)
  }
  const changed = accessStore.findUserById(context.db, user.id) ?? user
  return seeOther(visit.to`/`, { 'Set-Cookie': context.authenticator.sessions.begin(changed, request) })
}
