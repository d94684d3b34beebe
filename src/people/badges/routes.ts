import { Elysia } from 'elysia'
import { gate, noContent, operation, PageQuery, PersonParams, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { getBadgeHolder, giveBadges, takeBadges } from './change-badges.ts'
import { BadgeList, UserBadgeOption } from './schema.ts'
import { countUserBadges, listUserBadges } from './store.ts'
import { presentBadge } from './view.ts'

const Username = PersonParams

/** Who has which badge; the badges themselves are made on the command line, and in the browser. */
export function badges(context: Context) {
  return new Elysia({ name: 'badges' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/users/:username/badges',
      ({ params, page, total }) => {
        const user = getBadgeHolder(context.db, params.username)
        total(countUserBadges(context.db, user.id))
        return listUserBadges(context.db, user.id, page).map(presentBadge)
      },
      {
        siteAdmin: 'admin',
        list: true,
        params: Username,
        query: PageQuery,
        response: { 200: BadgeList },
        detail: operation('adminListUserBadges', "List a user's badges", 'admin'),
      },
    )
    .post('/admin/users/:username/badges', ({ params, body }) => giveBadges(context, getBadgeHolder(context.db, params.username), body.badge_slugs ?? []), {
      siteAdmin: 'admin',
      params: Username,
      body: UserBadgeOption,
      response: noContent,
      detail: operation('adminAddUserBadges', 'Give badges to a user', 'admin'),
    })
    .delete('/admin/users/:username/badges', ({ params, body }) => takeBadges(context, getBadgeHolder(context.db, params.username), body.badge_slugs ?? []), {
      siteAdmin: 'admin',
      params: Username,
      body: UserBadgeOption,
      response: noContent,
      detail: operation('adminDeleteUserBadges', 'Remove badges from a user', 'admin'),
    })
}
