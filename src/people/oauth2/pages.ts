import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { readsBody } from '#kernel/slice.ts'
import { safeReturn, Visit } from '#web/index.ts'
import { requestParameters } from './authorization-request.ts'
import { answerConsent, authorize, signInAgain } from './authorize.tsx'
import { describeServer } from './discovery.ts'
import { answerJson, giveTokens, introspect, revoke, tellUser } from './endpoints.ts'
import { orgApplicationPages } from './org-pages.tsx'
import { refuseWhenDisabled } from './refuse-when-disabled.ts'
import { SigningKeys } from './signing-keys.ts'
import { siteApplicationPages } from './site-pages.tsx'
import { userApplicationPages } from './user-pages.tsx'

const parameter = t.Optional(t.String({ maxLength: 4096 }))
const ConsentForm = t.Object({ granted: t.String(), ...Object.fromEntries(requestParameters.map((name) => [name, parameter])) })
const ReturnForm = t.Object({ redirect_to: t.String({ maxLength: 4096 }) })

/** The authorization server: what people see of it, and what applications ask. */
export function oauth2Pages(context: Context) {
  return new Elysia({ name: 'oauth2.pages' })
    .use(consentPages(context))
    .use(userApplicationPages(context))
    .use(orgApplicationPages(context))
    .use(siteApplicationPages(context))
    .use(applicationEndpoints(context))
}

/** For people at browsers, who are signed in by their cookie. */
function consentPages(context: Context) {
  return new Elysia({ name: 'oauth2.consent-pages' })
    .use(gate(context, 'page'))
    .get('/login/oauth/authorize', ({ viewer, request }) => authorize(context, new Visit(context, viewer, request), request), {
      signingIn: true,
      detail: { hide: true },
    })
    .post(
      '/login/oauth/grant',
      ({ viewer, request, body }) => answerConsent(context, new Visit(context, viewer, request), request, viewer, body as Record<string, string>),
      { signedIn: [], body: ConsentForm, detail: { hide: true } },
    )
    .post(
      '/login/oauth/sign_in_again',
      ({ viewer, request, body }) => signInAgain(context, new Visit(context, viewer, request), request, safeReturn(body.redirect_to)),
      { signingIn: true, body: ReturnForm, detail: { hide: true } },
    )
}

/** For applications, which show credentials of their own. */
function applicationEndpoints(context: Context) {
  const discovery = () => {
    if (!context.config.oauth2.ENABLED) throw new NotFound()
    return answerJson(describeServer(context), 200, published)
  }
  const keys = async () => {
    refuseWhenDisabled(context)
    return answerJson(await context.services.get(SigningKeys).published(), 200, published)
  }
  const open = { anyone: [], detail: { hide: true } } as const
  const reading = { anyone: [], detail: { hide: true, ...readsBody } } as const
  return new Elysia({ name: 'oauth2.application-pages' })
    .use(gate(context, 'application'))
    .post('/login/oauth/access_token', ({ request }) => giveTokens(context, request), reading)
    .post('/login/oauth/introspect', ({ request }) => introspect(context, request), reading)
    .post('/login/oauth/revoke', ({ request }) => revoke(context, request), reading)
    .get('/login/oauth/userinfo', ({ request }) => tellUser(context, request), open)
    .post('/login/oauth/userinfo', ({ request }) => tellUser(context, request), reading)
    .get('/login/oauth/keys', keys, open)
    .get('/.well-known/openid-configuration', discovery, open)
    .get('/.well-known/oauth-authorization-server', discovery, open)
}

const published = { 'Cache-Control': 'public, max-age=300' }
