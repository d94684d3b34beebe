import { Elysia, t } from 'elysia'
import { gate } from '#access/index.ts'
import type { Context } from '#context.ts'
import { seeOther, Visit } from '#web/index.ts'
import { follow, unfollow } from './change-follows.ts'

/** The buttons on a profile. */
export function followPages(context: Context) {
  const terms = { signedIn: [], params: t.Object({ owner: t.String() }), detail: { hide: true } } as const
  return new Elysia({ name: 'follows.pages' })
    .use(gate(context, 'page'))
    .post(
      '/:owner/-/follow',
      ({ viewer, request, params }) => {
        follow(context, viewer, params.owner)
        return seeOther(new Visit(context, viewer, request).to`/${params.owner}`)
      },
      terms,
    )
    .post(
      '/:owner/-/unfollow',
      ({ viewer, request, params }) => {
        unfollow(context, viewer, params.owner)
        return seeOther(new Visit(context, viewer, request).to`/${params.owner}`)
      },
      terms,
    )
}
