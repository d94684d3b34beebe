import type { Static } from 'elysia'
import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { BadRequest, Forbidden } from '#kernel/errors.ts'
import { checkName } from '#people/users/index.ts'
import { answerPage, mendable, seeOther, type Visit } from '#web/index.ts'
import { deleteNewcomer } from './attempt-store.ts'
import { enterBy } from './enter.ts'
import { type Newcomer, Newcomers } from './newcomers.ts'
import { followPicture } from './picture.ts'
import { admit, link } from './recognise.ts'
import { register, type Wished, wishedEmail, wishedName } from './register.ts'
import type { LinkForm, NewcomerForm } from './schema.ts'
import { NewcomerPage, TroublePage } from './templates.tsx'

const OVER = 'The sign-in with the external account has expired. Start again.'

/** Asks whoever another site has shown which account here is theirs. */
export function showNewcomer(context: Pick<Context, 'config' | 'authenticator' | 'services'>, visit: Visit, request: Request): Response {
  const newcomer = context.services.get(Newcomers).find(request)
  return newcomer ? ask(context, visit, newcomer) : nobody(visit)
}

/** Links the account that is signed in. Who holds a browser for a moment gets no way in for good: a password is asked for, or a sign-in of late. */
export async function linkAccount(context: Context, visit: Visit, viewer: Member, request: Request, { password }: Static<typeof LinkForm>): Promise<Response> {
  const newcomer = context.services.get(Newcomers).find(request)
  if (!newcomer) return nobody(visit)
  const { source, identity } = newcomer
  try {
    await context.authenticator.requireRecent(viewer, password, request)
    const user = context.db.tx((tx) => {
      useOnce(tx, newcomer)
      link(context, tx, source, identity, viewer.user)
      return admit(context, tx, source, identity, viewer.user)
    })
    void followPicture(context, source, identity, user)
    return seeOther(visit.below(newcomer.returnTo), { 'Set-Cookie': context.services.get(Newcomers).clear() })
  } catch (error) {
    const { message, status } = mendable(error)
    return ask(context, visit, newcomer, { error: message, status })
  }
}

/** Makes an account of the name that the newcomer chose, where people may make accounts. */
export function registerNewcomer(context: Context, visit: Visit, request: Request, form: Static<typeof NewcomerForm>): Response {
  const newcomer = context.services.get(Newcomers).find(request)
  if (!newcomer) return nobody(visit)
  if (visit.viewer.user) return seeOther(visit.to`/user/link_account`)
  const { source, identity, returnTo } = newcomer
  const wished = { name: form.user_name.trim(), email: form.email?.trim() ?? '' }
  try {
    if (!mayRegister(context)) throw new Forbidden('Registration with an external account is disabled. Ask a site administrator for an account.')
    checkName(wished.name, context.config)
    const user = context.db.tx((tx) => {
      useOnce(tx, newcomer)
      return register(context, tx, source, identity, wished)
    })
    void followPicture(context, source, identity, user)
    return enterBy(context, visit, request, source, user, returnTo)
  } catch (error) {
    const { message, status } = mendable(error)
    return ask(context, visit, newcomer, { error: message, status, wished })
  }
}

function mayRegister({ config: { service } }: Pick<Context, 'config'>): boolean {
  return !service.DISABLE_REGISTRATION && !service.ALLOW_ONLY_INTERNAL_REGISTRATION
}

/** Part of the transaction that follows: of two who answer at once, one does. @throws BadRequest */
function useOnce(tx: Tx, { digest }: Newcomer): void {
  if (!deleteNewcomer(tx, digest)) throw new BadRequest(OVER)
}

function ask(
  context: Pick<Context, 'config' | 'authenticator'>,
  visit: Visit,
  newcomer: Newcomer,
  { error, status = 200, wished }: { error?: string; status?: number; wished?: Wished } = {},
): Response {
  const told = { name: wishedName(context, newcomer.identity), email: wishedEmail(newcomer.identity) }
  const { viewer } = visit
  const isRecent = viewer.user !== undefined && context.authenticator.sessions.isRecent({ ...viewer, user: viewer.user })
  const page = <NewcomerPage visit={visit} newcomer={newcomer} wished={wished ?? told} mayRegister={mayRegister(context)} isRecent={isRecent} error={error} />
  return answerPage(page, status, { 'Cache-Control': 'no-store' })
}

function nobody(visit: Visit): Response {
  return answerPage(<TroublePage visit={visit} message={OVER} />, 400)
}
