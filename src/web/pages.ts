import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { stylesheet } from './stylesheet.ts'

const headers = {
  'Content-Type': 'text/css; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
}

/** What all pages load beside themselves; the same for everybody. */
export function webAssets(_: Context) {
  return new Elysia({ name: 'web.assets' }).get(
    '/assets/web/:name',
    ({ params }) => {
      if (params.name !== stylesheet.name) throw new NotFound()
      return new Response(stylesheet.text, { headers })
    },
    { detail: { hide: true } },
  )
}
