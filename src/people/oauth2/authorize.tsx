import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest } from '#kernel/errors.ts'
import { queryOf } from '#kernel/http.ts'
import { answerPage, pageHeaders, seeOther, type Visit } from '#web/index.ts'
import { type AuthorizationRequest, findTarget, readRequest, requestParameters, type Target } from './authorization-request.ts'
import { grantedTo, issueCode, signedInAt } from './issue-codes.ts'
import { issuerOf } from './issuer.ts'
import { OAuthError } from './oauth-error.ts'
import { Parameters } from './parameters.ts'
import { formTargetOf, withAnswer } from './redirect-uris.ts'
import { refuseWhenDisabled } from './refuse-when-disabled.ts'
import { isWithin } from './scopes.ts'
import { SigningKeys } from './signing-keys.ts'
import { ConsentPage, PassingPage, SignInAgainPage } from './templates.tsx'

/** Who has just signed in need not do so again, however little the application allows. */
const MIN_AGE_SECONDS = 10

/** Of a query: it is carried through the forms to sign in, which take no more. */
const MAX_LENGTH = 3500

/** A browser comes with what an application asks for. @throws BadRequest when there is no address to answer to; Forbidden when the server lets no applications in */
export async function authorize(context: Context, visit: Visit, request: Request): Promise<Response> {
  refuseWhenDisabled(context)
  const query = queryOf(request.url)
  if (query.length > MAX_LENGTH) throw new BadRequest(`The authorization request is too long: the limit is ${MAX_LENGTH} characters`)
  const parameters = new Parameters(new URLSearchParams(query))
  const target = findTarget(context, parameters)
  return answering(context, visit, request, target, async () => decide(context, visit, request, readRequest(target, parameters)))
}

/** The person has answered the page that asks for consent. */
export function answerConsent(context: Context, visit: Visit, request: Request, viewer: Member, form: Readonly<Record<string, string>>): Promise<Response> {
  refuseWhenDisabled(context)
  const parameters = new Parameters(Object.entries(form))
  const target = findTarget(context, parameters)
  return answering(context, visit, request, target, async () => {
    const asked = readRequest(target, parameters)
    if (form.granted !== 'true') throw new OAuthError('access_denied', 'the request is denied')
    return sendCode(context, visit, request, asked, viewer)
  })
}

/** Ends the session and leads to where another begins, and from there back. */
export function signInAgain(context: Pick<Context, 'authenticator'>, visit: Visit, request: Request, returnTo: string): Response {
  return seeOther(signInAddress(visit, returnTo), context.authenticator.sessions.end(request))
}

/** What goes wrong once it is known whom to answer is told to them. */
async function answering(
  context: Pick<Context, 'config' | 'rootUrl'>,
  visit: Visit,
  request: Request,
  target: Target,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return send(context, visit, request, target, { error: error.code, error_description: error.message })
  }
}

async function decide(context: Context, visit: Visit, request: Request, asked: AuthorizationRequest): Promise<Response> {
  const { viewer } = visit
  const isSilent = asked.prompts.has('none')
  const notReady = viewer.user && context.authenticator.whyNotReady(viewer.user)
  if (!viewer.user || (isSilent && notReady)) {
    if (isSilent) throw new OAuthError('login_required', 'the user is not signed in')
    return seeOther(signInAddress(visit, visit.path))
  }
  const member = viewer as Member
  if (notReady) throw notReady
  if (await mustSignInAgain(context, asked, member)) {
    if (isSilent) throw new OAuthError('login_required', 'the user must sign in again')
    return answerPage(<SignInAgainPage visit={visit} client={asked.client} returnTo={withoutPrompt(visit.path)} />)
  }
  const isKnown = asked.client.is_confidential === 1 || asked.client.skips_consent === 1
  const granted = isKnown && !asked.prompts.has('consent') ? grantedTo(context, asked, member) : undefined
  if (granted && isWithin(asked.scopes, granted)) return sendCode(context, visit, request, asked, member)
  if (isSilent) throw new OAuthError('consent_required', 'the user must authorize the application')
  return askForConsent(context, visit, request, asked)
}

async function mustSignInAgain(context: Pick<Context, 'authenticator' | 'services' | 'clock'>, asked: AuthorizationRequest, viewer: Member): Promise<boolean> {
  if (asked.prompts.has('login') || asked.prompts.has('select_account')) return true
  const age = context.clock.seconds() - signedInAt(context, viewer)
  if (asked.maxAge !== undefined && age > Math.max(asked.maxAge, MIN_AGE_SECONDS)) return true
  if (asked.hint === undefined) return false
  const subject = await context.services.get(SigningKeys).subjectOf(asked.hint, asked.client.client_id)
  if (subject === undefined) throw new OAuthError('invalid_request', 'the id_token_hint was not issued by this server for this client')
  return subject !== String(viewer.user.id)
}

function askForConsent(context: Context, visit: Visit, request: Request, asked: AuthorizationRequest): Response {
  const sent = new URLSearchParams(queryOf(request.url))
  const fields = requestParameters.flatMap((name) => (sent.get(name) ? [[name, sent.get(name) ?? ''] as const] : []))
  const page = <ConsentPage context={context} visit={visit} asked={asked} fields={fields} />
  return answerPage(page, 200, { 'Cache-Control': 'no-store', ...formLeadingTo(asked.redirectUri) })
}

/** Browsers follow the form's answer only to where the page's policy lets it go. */
function formLeadingTo(uri: string): Record<string, string> {
  const policy = pageHeaders['Content-Security-Policy']
  return { 'Content-Security-Policy': policy.replace("form-action 'self'", `form-action 'self' ${formTargetOf(uri)}`) }
}

function sendCode(context: Context, visit: Visit, request: Request, asked: AuthorizationRequest, viewer: Member): Response {
  return send(context, visit, request, asked, { code: issueCode(context, asked, viewer) })
}

/**
 * Sends the browser on with the answer. The issuer in it tells an application that uses several which one has answered: RFC 9207.
 * Behind a form of our own, that to sign in, which lets its answer lead nowhere else, a page does it.
 */
function send(
  context: Pick<Context, 'config' | 'rootUrl'>,
  visit: Visit,
  request: Request,
  { redirectUri, state }: Target,
  answer: Record<string, string>,
): Response {
  const address = withAnswer(redirectUri, { ...answer, state, iss: issuerOf(context) })
  const headers = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' }
  if (request.method === 'POST' || !comesFromOurs(visit, request)) return seeOther(address, headers)
  return answerPage(<PassingPage visit={visit} address={address} />, 200, { ...headers, Refresh: `0; url=${address}` })
}

/** Browsers that say nothing of sites, as over plain HTTP, name the page; we may be known to them under another name than our own. */
function comesFromOurs(visit: Visit, { headers, url }: Request): boolean {
  const from = URL.parse(headers.get('referer') ?? '')?.host
  const isOurPage = from !== undefined && [URL.parse(url)?.host, URL.parse(visit.root)?.host].includes(from)
  return headers.get('sec-fetch-site') === 'same-origin' || isOurPage
}

function signInAddress(visit: Visit, returnTo: string): string {
  return `${visit.to`/user/login`}?redirect_to=${encodeURIComponent(returnTo)}`
}

/** The same request, once the person has signed in again as it wants. */
function withoutPrompt(path: string): string {
  const at = path.indexOf('?')
  const parameters = new URLSearchParams(path.slice(at + 1))
  const rest = (parameters.get('prompt') ?? '').split(' ').filter((word) => word !== 'login' && word !== 'select_account')
  parameters.set('prompt', rest.join(' '))
  return `${path.slice(0, at)}?${parameters}`
}
