import type { Static } from 'elysia'
import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { answerPage, mendable, seeOther, type Visit } from '#web/index.ts'
import { confirmTotp, disableTotp, offerTotp, reopenOffer, type TotpOffer } from './change-totp.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import type { EnrolForm, PasswordForm } from './schema.ts'
import { CodesPage, EnrolPage, SecurityPage } from './security-templates.tsx'
import { countFactors, findTotp } from './store.ts'

const secret = { 'Cache-Control': 'no-store' }

/** What the account asks for besides its password. */
export function showSecurity(context: Context, visit: Visit, viewer: Member, problem?: Problem): Response {
  const { db, authenticator } = context
  const factors = countFactors(db, viewer.user.id)
  const isAsked = !authenticator.sessions.isRecent(viewer)
  const page = <SecurityPage visit={visit} factors={factors} totp={findTotp(db, viewer.user.id)} isPasswordAsked={isAsked} error={problem?.message} />
  return answerPage(page, problem?.status ?? 200, { ...secret, ...problem?.headers })
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
    return seeOther(visit.to`/user/settings/security`)
  })
}

/** Other recovery codes, shown this once; those before are worth nothing from now on. */
export function renewCodes(context: Context, visit: Visit, viewer: Member, request: Request, form: Static<typeof PasswordForm>): Promise<Response> {
  return change(context, visit, viewer, request, form.password, () => answerCodes(visit, replaceRecoveryCodes(context, viewer.user)))
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
    return showSecurity(context, visit, viewer, mendable(error))
  }
}

function answerEnrolment(context: Context, visit: Visit, viewer: Member, offer: TotpOffer, problem?: Problem): Response {
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
