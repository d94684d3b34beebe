import { t } from 'elysia'
import { Int, Time } from '#kernel/schema.ts'

export const OAuth2Application = t.Object(
  {
    id: Int(),
    name: t.String(),
    client_id: t.String(),
    client_secret: t.String(),
    redirect_uris: t.Array(t.String()),
    confidential_client: t.Boolean(),
    skip_secondary_authorization: t.Boolean(),
    created: Time,
  },
  { $id: 'OAuth2Application' },
)
export const OAuth2ApplicationList = t.Array(OAuth2Application, { $id: 'OAuth2ApplicationList' })

const name = t.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const redirectUris = t.Array(t.String({ maxLength: 2048 }), { minItems: 1, maxItems: 100 })

export const CreateOAuth2ApplicationOptions = t.Object(
  {
    name,
    redirect_uris: redirectUris,
    confidential_client: t.Optional(t.Boolean()),
    skip_secondary_authorization: t.Optional(t.Boolean()),
  },
  { $id: 'CreateOAuth2ApplicationOptions' },
)

/** For changing one: what is left out stays. Gitea's document has the same record for both. */
export const EditOAuth2ApplicationOptions = t.Partial(CreateOAuth2ApplicationOptions, { $id: 'EditOAuth2ApplicationOptions' })

/** The form's lines of a text are a body's list. */
export const ApplicationForm = t.Object({
  name: t.String({ maxLength: 255 }),
  redirect_uris: t.String({ maxLength: 65_536 }),
  confidential_client: t.Optional(t.Boolean()),
  skip_secondary_authorization: t.Optional(t.Boolean()),
})
