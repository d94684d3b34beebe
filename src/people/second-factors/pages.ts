import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { ceremony } from './ceremony.ts'
import { securityPages } from './security-pages.ts'
import { stepPages } from './step-pages.ts'

const scriptHeaders = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
}

/** How a second factor is added, shown and removed. */
export function secondFactorPages(context: Context) {
  return new Elysia({ name: 'second-factors.pages' })
    .use(stepPages(context))
    .use(securityPages(context))
    .get(
      '/assets/second-factors/:name',
      ({ params }) => {
        if (params.name !== ceremony.name) throw new NotFound()
        return new Response(ceremony.text, { headers: scriptHeaders })
      },
      { detail: { hide: true } },
    )
}
