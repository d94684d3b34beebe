import { Elysia, t } from 'elysia'
import { gate, IdText } from '#access/index.ts'
import type { Context } from '#context.ts'
import { LinkOver } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { PasskeyAnswer } from '#people/second-factors/index.ts'
import { answerDone, Visit } from '#web/index.ts'
import { ChangePasswordForm, ReturnQuery, SignInForm } from './schema.ts'
import {
  answerForgetting,
  askForPasskey,
  changePasswordBy,
  showPasswordForm,
  showSessions,
  showSignedOut,
  showSignIn,
  showSignInLink,
  signIn,
  signInByLink,
  signInByPasskey,
  signOut,
} from './sign-in.tsx'

const SecretParams = t.Object({ secret: t.String() })

/** How a browser is signed in and out. */
export function sessionPages(context: Context) {
  return new Elysia({ name: 'sessions.pages' })
    .use(gate(context, 'page'))
    .get('/user/login', ({ viewer, request, query }) => showSignIn(context, new Visit(context, viewer, request), query.redirect_to), {
      signingIn: 'unchanged',
      query: ReturnQuery,
      detail: { hide: true },
    })
    .post('/user/login', ({ viewer, request, body }) => signIn(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: SignInForm,
      detail: { hide: true },
    })
    .get('/user/webauthn/passkey/challenge', ({ viewer, request }) => askForPasskey(context, new Visit(context, viewer, request)), {
      signingIn: true,
      detail: { hide: true },
    })
    .post('/user/webauthn/passkey/login', ({ viewer, request, body }) => signInByPasskey(context, new Visit(context, viewer, request), request, body), {
      signingIn: true,
      body: PasskeyAnswer,
      detail: { hide: true },
    })
    .post('/user/logout', ({ viewer, request }) => signOut(context, new Visit(context, viewer, request), request), {
      signingIn: true,
      detail: { hide: true },
    })
    .get('/user/signed_out', ({ viewer, request }) => showSignedOut(new Visit(context, viewer, request)), { signingIn: 'unchanged', detail: { hide: true } })
    .get('/user/signed_out/forget', () => answerForgetting(), { signingIn: 'unchanged', detail: { hide: true } })
    .get(
      '/user/sign_in/:secret',
      ({ viewer, request, params }) => {
        const user = context.authenticator.sessions.findLinkHolder(params.secret)
        if (!user) throw new LinkOver()
        return showSignInLink(new Visit(context, viewer, request), params.secret, user)
      },
      { signingIn: true, params: SecretParams, detail: { hide: true } },
    )
    .post('/user/sign_in/:secret', ({ viewer, request, params }) => signInByLink(context, new Visit(context, viewer, request), request, params.secret), {
      signingIn: true,
      params: SecretParams,
      detail: { hide: true },
    })
    .get('/user/settings/sessions', ({ viewer, request }) => showSessions(context, new Visit(context, viewer, request), viewer), {
      signedIn: [],
      detail: { hide: true },
    })
    .post(
      '/user/settings/sessions/:session/delete',
      ({ viewer, request, params }) => {
        context.authenticator.sessions.revoke(viewer.user, rowIdIn(params.session))
        return answerDone(new Visit(context, viewer, request), (visit) => visit.to`/user/settings/sessions`, 'Session ended')
      },
      { signedIn: [], params: t.Object({ session: IdText('ID of the session') }), detail: { hide: true } },
    )
    .get('/user/settings/change_password', ({ viewer, request }) => showPasswordForm(new Visit(context, viewer, request), viewer.user), {
      passwordHolder: [],
      detail: { hide: true },
    })
    .post(
      '/user/settings/change_password',
      ({ viewer, request, body }) => changePasswordBy(context, new Visit(context, viewer, request), viewer, request, body),
      { passwordHolder: [], body: ChangePasswordForm, detail: { hide: true } },
    )
}
