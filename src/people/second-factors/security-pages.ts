import { Elysia, t } from 'elysia'
import { gate, IdText, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { EnrolForm, KeyForm, KeyNameForm, PasswordForm } from './schema.ts'
import { confirmApp, deleteKey, registerKey, removeApp, renameKey, renewCodes, showEnrolment, showSecurity } from './security.tsx'

const KeyParams = t.Object({ key: IdText('ID of the key') })

/** What people change about how they sign in; open also to who can do nothing else before they have a second factor. */
export function securityPages(context: Context) {
  const visitOf = ({ viewer, request }: { viewer: Member; request: Request }) => new Visit(context, viewer, request)
  return new Elysia({ name: 'second-factors.security-pages' })
    .use(gate(context, 'page'))
    .get('/user/settings/security', (asked) => showSecurity(context, visitOf(asked), asked.viewer), { passwordHolder: [], detail: { hide: true } })
    .get('/user/settings/security/two_factor/enroll', (asked) => showEnrolment(context, visitOf(asked), asked.viewer), {
      passwordHolder: [],
      detail: { hide: true },
    })
    .post('/user/settings/security/two_factor/enroll', (asked) => confirmApp(context, visitOf(asked), asked.viewer, asked.request, asked.body), {
      passwordHolder: [],
      body: EnrolForm,
      detail: { hide: true },
    })
    .post('/user/settings/security/two_factor/disable', (asked) => removeApp(context, visitOf(asked), asked.viewer, asked.request, asked.body), {
      passwordHolder: [],
      body: PasswordForm,
      detail: { hide: true },
    })
    .post('/user/settings/security/two_factor/regenerate_scratch', (asked) => renewCodes(context, visitOf(asked), asked.viewer, asked.request, asked.body), {
      passwordHolder: [],
      body: PasswordForm,
      detail: { hide: true },
    })
    .post('/user/settings/security/webauthn/register', (asked) => registerKey(context, visitOf(asked), asked.viewer, asked.request, asked.body), {
      passwordHolder: [],
      body: KeyForm,
      detail: { hide: true },
    })
    .post('/user/settings/security/webauthn/:key/rename', (asked) => renameKey(context, visitOf(asked), asked.viewer, asked.params.key, asked.body.name), {
      passwordHolder: [],
      params: KeyParams,
      body: KeyNameForm,
      detail: { hide: true },
    })
    .post(
      '/user/settings/security/webauthn/:key/delete',
      (asked) => deleteKey(context, visitOf(asked), asked.viewer, asked.request, asked.params.key, asked.body),
      { passwordHolder: [], params: KeyParams, body: PasswordForm, detail: { hide: true } },
    )
}
