import { Elysia, t } from 'elysia'
import { gate } from '../access/index.ts'
import type { Context } from '../context.ts'
import { rawHeaders } from '../kernel/http.ts'
import { identicon } from './identicon.ts'

const headers = { ...rawHeaders, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' }

/**
 * `/avatars/{id}`: what `avatar_url` of a User record leads to. Drawn from the number alone, so it asks nobody,
 * tells nothing about an account, and no later account inherits it.
 */
export function avatars(context: Context) {
  return new Elysia({ name: 'avatars' }).use(gate(context)).get('/avatars/:id', ({ params }) => new Response(identicon(`avatar ${params.id}`), { headers }), {
    anyone: 'misc',
    params: t.Object({ id: t.String({ pattern: '^\\d{1,15}$' }) }),
    detail: { hide: true },
  })
}
