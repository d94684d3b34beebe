import { t } from 'elysia'
import { IdText } from '#access/index.ts'
import { Int, oneOf, Time } from '#kernel/schema.ts'
import { LdapConfig, PamConfig, SmtpConfig } from './config.ts'
import { Oauth2Config } from './oauth2-config.ts'

const kinds = ['ldap', 'smtp', 'pam', 'oauth2'] as const

/** What all kinds have. */
const facts = {
  name: t.String({ minLength: 1, maxLength: 255, description: 'name; unique, ignoring case' }),
  is_active: t.Boolean({ description: 'whether users can sign in through the source' }),
  is_sync_enabled: t.Boolean({ description: 'whether users are synchronized periodically; LDAP sources only' }),
  skip_local_2fa: t.Boolean({ description: 'skip two-factor authentication on this server for users of the source' }),
}

/** The settings of its kind, and of no other; what is secret is never given back. */
export const AuthSource = t.Object(
  {
    id: Int(),
    type: oneOf(kinds),
    ...facts,
    users_count: Int({ description: 'number of accounts that use the source' }),
    ldap: t.Optional(t.Omit(LdapConfig, ['bind_password'])),
    smtp: t.Optional(SmtpConfig),
    pam: t.Optional(PamConfig),
    oauth2: t.Optional(t.Omit(Oauth2Config, ['client_secret'])),
    created: Time,
    updated: Time,
  },
  { $id: 'AuthSource' },
)

export const AuthSourceList = t.Array(AuthSource, { $id: 'AuthSourceList' })

const settings = {
  ldap: t.Optional(t.Partial(LdapConfig)),
  smtp: t.Optional(t.Partial(SmtpConfig)),
  pam: t.Optional(t.Partial(PamConfig)),
  oauth2: t.Optional(t.Partial(Oauth2Config)),
}

/** The settings of its kind are given under its name; those that are not are as they mostly are. */
export const CreateAuthSourceOption = t.Object(
  {
    type: oneOf(kinds),
    ...facts,
    is_active: t.Optional(facts.is_active),
    is_sync_enabled: t.Optional(facts.is_sync_enabled),
    skip_local_2fa: t.Optional(facts.skip_local_2fa),
    ...settings,
  },
  { $id: 'CreateAuthSourceOption' },
)

/** What is not given stays, secrets too. */
export const EditAuthSourceOption = t.Object({ ...t.Partial(t.Object(facts)).properties, ...settings }, { $id: 'EditAuthSourceOption' })

export const TestAuthSourceOption = t.Object(
  {
    username: t.Optional(t.String({ maxLength: 254, description: 'user to sign in; absent: test only the connection' })),
    password: t.Optional(t.String({ maxLength: 1024 })),
  },
  { $id: 'TestAuthSourceOption' },
)

export const AuthSourceTest = t.Object(
  {
    ok: t.Boolean({ description: 'whether the source is reachable and the sign-in succeeded' }),
    message: t.String({ description: 'result of the test' }),
    user: t.Optional(
      t.Object({
        login_name: t.String(),
        name: t.String({ description: 'name of the existing or future account of the user' }),
        email: t.String(),
        full_name: t.String(),
        is_admin: t.Optional(t.Boolean({ description: 'absent: the source does not provide it' })),
        is_restricted: t.Optional(t.Boolean()),
        groups: t.Optional(t.Array(t.String(), { description: 'absent: groups are not looked up' })),
        ssh_keys_count: Int(),
      }),
    ),
  },
  { $id: 'AuthSourceTest' },
)

export const SourceParams = t.Object({ id: IdText('ID of the source') })
