import type { Static } from 'elysia'
import { rfc3339 } from '#kernel/clock.ts'
import { redirectUrisOf } from './clients.ts'
import type { OAuth2Application } from './schema.ts'
import type { ApplicationRow } from './store.ts'

/** @param secret where it was just made; later it is known to nobody here */
export function presentApplication(row: ApplicationRow, secret = ''): Static<typeof OAuth2Application> {
  return {
    id: row.id,
    name: row.name,
    client_id: row.client_id,
    client_secret: secret,
    redirect_uris: redirectUrisOf(row),
    confidential_client: row.is_confidential === 1,
    skip_secondary_authorization: row.skips_consent === 1,
    created: rfc3339(row.created_at),
  }
}
