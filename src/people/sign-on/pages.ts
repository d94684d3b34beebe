import { Elysia, t } from 'elysia'
import { gate, IdText, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { Visit } from '#web/index.ts'
import { linkAccount, registerNewcomer, showNewcomer } from './link-account.tsx'
import { showLinks, unlinkAccount } from './links.tsx'
import { LinkForm, NewcomerForm, SourceParams, StartQuery } from './schema.ts'
import { finishSignOn, startSignOn } from './sign-on.tsx'

/** Signing in at another site, and what an account is linked to there. */
export function signOnPages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Viewer; request: Request }) => new Visit(context, viewer, request)
  return new Elysia({ name: 'sign-on.pages' })
    .use(gate(context, 'page'))
    .get('/user/oauth2/:name', (asked) => startSignOn(context, visitOf(asked), asked.request, asked.params.name, asked.query.redirect_to), {
      signingIn: true,
      params: SourceParams,
      query: StartQuery,
      detail: { hide: true },
    })
    .get('/user/oauth2/:name/callback', (asked) => finishSignOn(context, visitOf(asked), asked.request, asked.params.name), {
      signingIn: true,
      params: SourceParams,
      detail: { hide: true },
    })
    .get('/user/link_account', (asked) => showNewcomer(context, visitOf(asked), asked.request), { signingIn: true, detail: { hide: true } })
    .post('/user/link_account', (asked) => linkAccount(context, visitOf(asked), asked.viewer, asked.request, asked.body), {
      signedIn: [],
      body: LinkForm,
      detail: { hide: true },
    })
    .post('/user/link_account_signup', (asked) => registerNewcomer(context, visitOf(asked), asked.request, asked.body), {
      signingIn: true,
      body: NewcomerForm,
      detail: { hide: true },
    })
    .get('/user/settings/account_links', (asked) => showLinks(context, visitOf(asked), asked.viewer), { signedIn: [], detail: { hide: true } })
    .post(
      '/user/settings/account_links/:id/delete',
      (asked) => unlinkAccount(context, visitOf(asked), asked.viewer, asked.request, rowIdIn(asked.params.id), asked.body.password),
      { signedIn: [], params: t.Object({ id: IdText('ID of the link') }), body: LinkForm, detail: { hide: true } },
    )
}
