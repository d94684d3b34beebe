import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rawHeaders } from '#kernel/http.ts'
import { loadPicture } from './files.ts'
import { identicon } from './identicon.ts'
import { type PictureKind, pictureTypes } from './picture.ts'
import { pictureSettings } from './settings-pages.tsx'
import { type AvatarOwner, isHeld } from './store.ts'

const PictureParams = t.Object({ name: t.String() })

/** Pictures themselves, and where they are chosen. */
export function avatarPages(context: Context) {
  return new Elysia({ name: 'avatars.pages' }).use(pictures(context)).use(pictureSettings(context))
}

/**
 * What `avatar_url` leads to. An account's number is drawn, from the number alone: it asks nobody, tells nothing about an account,
 * and no later account inherits it. An uploaded picture is shown to whoever knows its name, which only its holder's record tells.
 */
function pictures(context: Context) {
  return new Elysia({ name: 'avatars.pictures' })
    .use(gate(context))
    .get('/avatars/:name', ({ params: { name }, request }) => (/^\d{1,15}$/.test(name) ? drawn(name) : uploaded(context, 'user', name, request)), {
      anyone: [],
      params: PictureParams,
      detail: { hide: true },
    })
    .get('/repo-avatars/:name', ({ params: { name }, request }) => uploaded(context, 'repository', name, request), {
      anyone: [],
      params: PictureParams,
      detail: { hide: true },
    })
}

function drawn(id: string): Response {
  return new Response(identicon(`avatar ${id}`), { headers: { ...rawHeaders, 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' } })
}

/** @throws NotFound from the moment on at which nobody has it any more */
async function uploaded(context: Pick<Context, 'config' | 'db' | 'log'>, table: AvatarOwner['table'], name: string, request: Request): Promise<Response> {
  const bytes = isHeld(context.db, table, name) ? await loadPicture(context, name) : undefined
  if (!bytes) throw new NotFound()
  const etag = `"${name}"`
  const headers = { ...rawHeaders, ETag: etag, 'Cache-Control': 'private, max-age=31536000, immutable' }
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(bytes, { headers: { ...headers, 'Content-Type': pictureTypes[name.slice(name.lastIndexOf('.') + 1) as PictureKind] } })
}
