import { Elysia } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { Visit } from '#web/index.ts'
import { activateBy, forget, recoverBy, showActivation, showForgot, showRecovery, showSignUp, signUp } from './answer.tsx'
import { ActivateForm, CodeQuery, ForgotForm, RecoverForm, SignUpForm } from './schema.ts'

/** How people get an account by themselves, and back into one. */
export function registrationPages(context: Context) {
  return new Elysia({ name: 'registration.pages' })
    .use(gate(context, 'page'))
    .get('/user/sign_up', ({ viewer, request }) => showSignUp(context, new Visit(context, viewer, request)), { signingIn: true, detail: { hide: true } })
    .post('/user/sign_up', ({ viewer, request, body }) => signUp(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: SignUpForm,
      detail: { hide: true },
    })
    .get('/user/activate', ({ viewer, request, query }) => showActivation(context, new Visit(context, viewer, request), query.code), {
      signingIn: true,
      query: CodeQuery,
      detail: { hide: true },
    })
    .post('/user/activate', ({ viewer, request, body }) => activateBy(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: ActivateForm,
      detail: { hide: true },
    })
    .get('/user/forgot_password', ({ viewer, request }) => showForgot(context, new Visit(context, viewer, request)), {
      signingIn: true,
      detail: { hide: true },
    })
    .post('/user/forgot_password', ({ viewer, request, body }) => forget(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: ForgotForm,
      detail: { hide: true },
    })
    .get(
      '/user/recover_account',
      ({ viewer, request, query }) => {
        if (query.code === undefined) throw new NotFound()
        return showRecovery(context, new Visit(context, viewer, request), query.code)
      },
      { signingIn: true, query: CodeQuery, detail: { hide: true } },
    )
    .post('/user/recover_account', ({ viewer, request, body }) => recoverBy(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: RecoverForm,
      detail: { hide: true },
    })
}
