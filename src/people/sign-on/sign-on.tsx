import type { Context } from '#context.ts'
import { BadRequest, Forbidden, NotFound } from '#kernel/errors.ts'
import { findSource, findSourceRowByName } from '#people/sources/index.ts'
import { answerPage, safeReturn, seeOther, type Visit } from '#web/index.ts'
import { Attempts } from './attempts.ts'
import { enterBy } from './enter.ts'
import { Newcomers } from './newcomers.ts'
import { followPicture } from './picture.ts'
import type { ExternalIdentity } from './protocol.ts'
import { Providers } from './providers.ts'
import type { OAuthSource } from './recognise.ts'
import { refusalOf } from './refusal.ts'
import { settle } from './settle.ts'
import { TroublePage } from './templates.tsx'
import { CallbackThrottle } from './throttle.ts'

/** Longer ones do not come from our pages. */
const MAX_RETURN = 2000

/** Sends the browser to the source's site. The first of two steps. @throws NotFound when nothing in use is called so */
export async function startSignOn(context: Context, visit: Visit, request: Request, name: string, redirectTo: string | undefined): Promise<Response> {
  const source = getSource(context, name)
  const returnTo = safeReturn(redirectTo)
  const redirectUri = `${visit.root}user/oauth2/${encodeURIComponent(source.name)}/callback`
  return troubled(context, visit, source, async () => {
    const { secrets, cookie } = context.services.get(Attempts).begin(source.id, request, redirectUri, returnTo.length > MAX_RETURN ? '/' : returnTo)
    const address = await context.services.get(Providers).ask(source, (provider) => provider.addressFor(secrets, redirectUri))
    return seeOther(address, { 'Set-Cookie': cookie, 'Referrer-Policy': 'no-referrer' })
  })
}

/** The browser comes back. The second step. @throws NotFound when nothing in use is called so */
export async function finishSignOn(context: Context, visit: Visit, request: Request, name: string): Promise<Response> {
  const source = getSource(context, name)
  return troubled(context, visit, source, async () => {
    const params = new URL(request.url).searchParams
    const attempt = context.services.get(Attempts).take(request, params.get('state') ?? '')
    // What another source began is not finished by this one: a site could have a code of the other's sent to itself.
    if (attempt?.row.source_id !== source.id)
      throw new BadRequest('The sign-in has expired, is already complete or was started in another browser. Start again.')
    const { redirect_uri, return_to } = attempt.row
    const counted = context.services.get(CallbackThrottle).begin(request)
    const identity = await context.services.get(Providers).ask(source, (provider) => provider.identify(params, attempt.secrets, redirect_uri))
    counted.succeeded()
    return welcome(context, visit, request, source, identity, return_to)
  })
}

/** While the other site was asked, the source may have been changed, put out of use or deleted. */
function welcome(context: Context, visit: Visit, request: Request, { id }: OAuthSource, identity: ExternalIdentity, returnTo: string): Response {
  const source = findSource(context, id)
  if (source?.kind !== 'oauth2') throw new Forbidden('This authentication source is inactive.')
  const settled = settle(context, source, identity, visit.viewer.user !== undefined)
  if (settled.user) {
    void followPicture(context, source, identity, settled.user)
    return enterBy(context, visit, request, source, settled.user, returnTo)
  }
  const cookie = context.services.get(Newcomers).begin(source, identity, returnTo, settled.note ?? '')
  return seeOther(visit.to`/user/link_account`, { 'Set-Cookie': cookie })
}

/** A page that says what went wrong, and leads back to where it begins. */
async function troubled(context: Pick<Context, 'log'>, visit: Visit, source: { name: string }, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const problem = refusalOf(context, source.name, error)
    return answerPage(<TroublePage visit={visit} message={problem.message} />, problem.status, { 'Cache-Control': 'no-store', ...problem.headers })
  }
}

function getSource(context: Pick<Context, 'db' | 'secrets' | 'log'>, name: string): OAuthSource {
  const row = findSourceRowByName(context.db, name)
  const source = row?.kind === 'oauth2' && row.is_active === 1 ? findSource(context, row.id) : undefined
  if (source?.kind !== 'oauth2') throw new NotFound()
  return source
}
