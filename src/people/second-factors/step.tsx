import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import { Unauthorized } from '#kernel/errors.ts'
import { answerPage, mendable, seeOther, type Visit } from '#web/index.ts'
import type { Asked } from './ceremony-form.tsx'
import { makeChallenge, type Purpose } from './challenge.ts'
import { mailNotice } from './factor-letters.ts'
import { type HalfSignedIn, HalfSignIns } from './half-signed-in.ts'
import { listKeys } from './key-store.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import type { AssertionForm } from './schema.ts'
import { StepOverPage, StepPage } from './step-templates.tsx'
import { countFactors } from './store.ts'
import { useAsSecondFactor } from './use-key.ts'
import { requestOptions, siteOf } from './webauthn.ts'

/** The question for the second factor; who has not given a password is led to where that is done. */
export function showStep(context: Context, visit: Visit, request: Request): Response {
  const half = context.services.get(HalfSignIns).find(request)
  if (half) return answerStep(context, visit, half)
  return seeOther(visit.viewer.user ? visit.to`/` : visit.to`/user/login`)
}

/** The code of the account's app. */
export function tryCode(context: Context, visit: Visit, request: Request, code: string): Promise<Response> {
  return attempt(context, visit, request, async (half) => {
    const isRight = await context.authenticator.checkCode(half.user, code, request)
    return isRight ? context.services.get(HalfSignIns).complete(half, request) : undefined
  })
}

/** A recovery code, which is gone when the browser is signed in. Its owner hears of it: somebody else may have found it. */
export function tryRecoveryCode(context: Context, visit: Visit, request: Request, code: string): Promise<Response> {
  return attempt(context, visit, request, async (half) => {
    const counted = context.authenticator.beginCode(half.user, request)
    return context.db.tx((tx) => {
      if (!takeRecoveryCode(tx, half.user, code)) return undefined
      tx.onCommit(counted.succeeded)
      const { recovery_codes } = countFactors(tx, half.user.id)
      mailNotice(context, tx, half.user, `A recovery code was used to sign in. Remaining codes: ${recovery_codes}.`)
      return context.services.get(HalfSignIns).complete(half, request)
    })
  })
}

/** A security key of the account. */
export function tryKey(context: Context, visit: Visit, request: Request, answer: Static<typeof AssertionForm>): Promise<Response> {
  return attempt(context, visit, request, async (half) => {
    const used = await useAsSecondFactor(context, half.user, siteOf(visit.root), answer, purposeOf(half))
    return context.db.tx((tx) => {
      used.note(tx)
      return context.services.get(HalfSignIns).complete(half, request)
    })
  })
}

/** @param prove answers the session's `Set-Cookie`; undefined when the factor was wrong */
async function attempt(context: Context, visit: Visit, request: Request, prove: (half: HalfSignedIn) => Promise<string | undefined>): Promise<Response> {
  const halves = context.services.get(HalfSignIns)
  const half = halves.find(request)
  if (!half || !halves.mayTry(half)) return answerPage(<StepOverPage visit={visit} />, 401)
  try {
    const cookie = await prove(half)
    if (cookie === undefined) throw new Unauthorized('The code is incorrect or was already used.')
    return seeOther(visit.below(half.row.redirect_to), { 'Set-Cookie': cookie })
  } catch (error) {
    const problem = mendable(error)
    return answerStep(context, visit, half, problem.message, problem.status, problem.headers)
  }
}

function answerStep(
  context: Pick<Context, 'db' | 'secrets' | 'clock'>,
  visit: Visit,
  half: HalfSignedIn,
  error?: string,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  const page = (
    <StepPage visit={visit} name={half.user.name} factors={countFactors(context.db, half.user.id)} keys={keysFor(context, visit, half)} error={error} />
  )
  return answerPage(page, status, { 'Cache-Control': 'no-store', ...headers })
}

/** What the account's keys are asked to sign; undefined when none was made for this address of the server. */
function keysFor(context: Pick<Context, 'db' | 'secrets' | 'clock'>, visit: Visit, half: HalfSignedIn): Asked | undefined {
  const site = siteOf(visit.root)
  const keys = listKeys(context.db, half.user.id).filter(({ rp_id }) => rp_id === site.rpId)
  if (keys.length === 0) return undefined
  const challenge = makeChallenge(context, purposeOf(half))
  return { sealed: challenge.sealed, options: requestOptions(site, challenge.value, keys, 'discouraged') }
}

function purposeOf({ row }: HalfSignedIn): Purpose {
  return `second factor for ${row.digest}`
}
