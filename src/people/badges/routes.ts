import { Elysia } from 'elysia'
import { accessStore, gate, noContent, operation, PageQuery, PersonParams, paging, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { giveBadges, takeBadges } from './change-badges.ts'
import { BadgeList, UserBadgeOption } from './schema.ts'
import { countUserBadges, listUserBadges } from './store.ts'
import { presentBadge } from './view.ts'

const Username = PersonParams

/** Who has which badge; the badges themselves are made on the command line. */
export function badges(context: Context) {
  return new Elysia({ name: 'badges' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/users/:username/badges',
      ({ params, page, total }) => {
        const user = getBadgeHolder(context, params.username)
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
    .post('/admin/users/:username/badges', ({ params, body }) => giveBadges(context, getBadgeHolder(context, params.username), body.badge_slugs ?? []), {
      siteAdmin: 'admin',
      params: Username,
      body: UserBadgeOption,
      response: noContent,
      detail: operation('adminAddUserBadges', 'Give badges to a user', 'admin'),
    })
    .delete('/admin/users/:username/badges', ({ params, body }) => takeBadges(context, getBadgeHolder(context, params.username), body.badge_slugs ?? []), {
      siteAdmin: 'admin',
      params: Username,
      body: UserBadgeOption,
      response: noContent,
      detail: operation('adminDeleteUserBadges', 'Take badges from a user', 'admin'),
    })
}

/** @throws NotFound; Unprocessable when it is an organization */
function getBadgeHolder({ db }: Context, name: string): UserRow {
  const found = accessStore.findUserByName(db, name)
  if (!found) throw new NotFound(`user redirect does not exist [name: ${name}]`)
  if (found.kind !== 'person') throw new Unprocessable(`${found.name} is an organization not a user`)
  return found
}
