import { Elysia } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { AssertionForm, CodeForm, RecoveryForm } from './schema.ts'
import { showStep, tryCode, tryKey, tryRecoveryCode } from './step.tsx'

/** Between the right password and the session. */
export function stepPages(context: Context) {
  return new Elysia({ name: 'second-factors.step-pages' })
    .use(gate(context, 'page'))
    .get('/user/two_factor', ({ viewer, request }) => showStep(context, new Visit(context, viewer, request), request), {
      signingIn: true,
      detail: { hide: true },
    })
    .post('/user/two_factor', ({ viewer, request, body }) => tryCode(context, new Visit(context, viewer, request), request, body.passcode), {
      signingIn: true,
      body: CodeForm,
      detail: { hide: true },
    })
    .post(
      '/user/two_factor/scratch',
      ({ viewer, request, body }) => tryRecoveryCode(context, new Visit(context, viewer, request), request, body.scratch_code),
      { signingIn: true, body: RecoveryForm, detail: { hide: true } },
    )
    .post('/user/webauthn', ({ viewer, request, body }) => tryKey(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: AssertionForm,
      detail: { hide: true },
    })
}
