import type { Static } from 'elysia'
import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { answerDone, answerPage, mendable, seeOther, type Visit } from '#web/index.ts'
import type { Asked } from './ceremony-form.tsx'
import { makeChallenge, type Purpose } from './challenge.ts'
import { addKey, handleOf, removeKey, renameKeyOf } from './change-keys.ts'
import { confirmTotp, disableTotp, offerTotp, reopenOffer, type TotpOffer } from './change-totp.ts'
import { listKeys } from './key-store.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import type { EnrolForm, KeyForm, PasswordForm } from './schema.ts'
import { CodesPage, EnrolPage, SecurityPage } from './security-templates.tsx'
import { countFactors, findTotp } from './store.ts'
import { creationOptions, siteOf } from './webauthn.ts'

const secret = { 'Cache-Control': 'no-store' }

/** What the account asks for besides its password. */
export function showSecurity(context: Context, visit: Visit, viewer: Member, problem?: Problem): Response {
  const { db, authenticator } = context
  const factors = countFactors(db, viewer.user.id)
  const shown = {
    factors,
    totp: findTotp(db, viewer.user.id),
    keys: listKeys(db, viewer.user.id),
    newKey: offerKey(context, visit, viewer),
    isPasswordAsked: !authenticator.sessions.isRecent(viewer),
    error: problem?.message,
  }
  return answerPage(<SecurityPage visit={visit} {...shown} />, problem?.status ?? 200, { ...secret, ...problem?.headers })
}

/** A secret for an app: another one each time, and nothing is stored of it. */
export async function showEnrolment(context: Context, visit: Visit, viewer: Member): Promise<Response> {
  if (findTotp(context.db, viewer.user.id)) return seeOther(visit.to`/user/settings/security`)
  return answerEnrolment(context, visit, viewer, await offerTotp(context, viewer.user, hostOf(visit)))
}

export async function confirmApp(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof EnrolForm>): Promise<Response> {
  const { user } = viewer
  try {
    await context.authenticator.requireRecent(viewer, form.password, request)
    return answerCodes(visit, await confirmTotp(context, user, form.offer, form.passcode))
  } catch (error) {
    const problem = mendable(error)
    // An offer that is too old cannot be shown again either.
    const offer = await reopenOffer(context, user, hostOf(visit), form.offer).catch(() => offerTotp(context, user, hostOf(visit)))
    return answerEnrolment(context, visit, viewer, offer, problem)
  }
}

export function removeApp(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof PasswordForm>): Promise<Response> {
  return change(context, visit, viewer, request, form.password, () => {
    disableTotp(context, viewer.user)
    return answerDone(visit, visit.to`/user/settings/security`, 'Authenticator app removed')
  })
}

/** Other recovery codes, shown this once; those before are worth nothing from now on. */
export function renewCodes(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof PasswordForm>): Promise<Response> {
  return change(context, visit, viewer, request, form.password, () => answerCodes(visit, replaceRecoveryCodes(context, viewer.user)))
}

/** Adds a key that the browser has just made. */
export function registerKey(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof KeyForm>): Promise<Response> {
  return change(context, visit, viewer, request, form.password, async () =>
    answerCodes(visit, await addKey(context, viewer.user, siteOf(visit.root), form, purposeOf(viewer))),
  )
}

export function renameKey(context: Context, visit: Visit, viewer: Member, key: string, name: string): Response {
  try {
    renameKeyOf(context, viewer.user, rowIdIn(key), name)
    return answerDone(visit, visit.to`/user/settings/security`, 'Security key renamed')
  } catch (error) {
    return showSecurity(context, visit, viewer, mendable(error, 404))
  }
}

export function deleteKey(context: Context, visit: Visit, viewer: Member, request: Request, key: string, form: Static<typeof PasswordForm>): Promise<Response> {
  return change(context, visit, viewer, request, form.password, () => {
    removeKey(context, viewer.user, rowIdIn(key))
    return answerDone(visit, visit.to`/user/settings/security`, 'Security key removed')
  })
}

/** What the browser is asked to make; nothing is stored before it has. */
function offerKey(context: Context, visit: Visit, viewer: Member): Asked {
  const { user } = viewer
  const challenge = makeChallenge(context, purposeOf(viewer))
  const owner = { name: user.name, fullName: user.full_name, handle: handleOf(context, user) }
  return { sealed: challenge.sealed, options: creationOptions(siteOf(visit.root), challenge.value, owner, listKeys(context.db, user.id)) }
}

function purposeOf({ user, sessionId = 0 }: Member): Purpose {
  return `add a key to account ${user.id} in session ${sessionId}`
}

/** Changes what guards the account, for who has shown a moment ago that it is theirs. What they can mend is told on the page. */
async function change(
  context: Context,
  visit: Visit,
  viewer: Member,
  request: Request,
  password: string | undefined,
  work: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    await context.authenticator.requireRecent(viewer, password, request)
    return await work()
  } catch (error) {
    return showSecurity(context, visit, viewer, mendable(error, 404))
  }
}

function answerEnrolment(context: Pick<Context, 'authenticator'>, visit: Visit, viewer: Member, offer: TotpOffer, problem?: Problem): Response {
  const isAsked = !context.authenticator.sessions.isRecent(viewer)
  const page = <EnrolPage visit={visit} offer={offer} isPasswordAsked={isAsked} error={problem?.message} />
  return answerPage(page, problem?.status ?? 200, { ...secret, ...problem?.headers })
}

/** @param codes none when the account has some from before */
function answerCodes(visit: Visit, codes: readonly string[]): Response {
  return codes.length === 0 ? seeOther(visit.to`/user/settings/security`) : answerPage(<CodesPage visit={visit} codes={codes} />, 200, secret)
}

function hostOf(visit: Visit): string {
  return new URL(visit.root).host
}
