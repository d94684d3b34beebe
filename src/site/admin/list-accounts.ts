import type { Static } from 'elysia'
import { lineOf, type Member } from '#access/index.ts'
import type { LongDb } from '#kernel/db.ts'
import { flagIn } from '#kernel/http.ts'
import type { Page } from '#kernel/page.ts'
import { userStore, visibilities } from '#people/users/index.ts'
import type { AdminUserQuery } from './schema.ts'

/** The accounts that a query of `GET /admin/users` asks for. */
export function listAccounts(db: LongDb, viewer: Member, query: Static<typeof AdminUserQuery>, page: Page): Promise<userStore.People> {
  const filter: userStore.UserFilter = {
    keyword: query.q?.trim(),
    byEmail: 'all',
    // 0 is what clients send for "any".
    sourceId: Number.parseInt(query.source_id ?? '', 10) || undefined,
    loginName: query.login_name?.trim() || undefined,
    visibility: visibilities.find((one) => one === query.visibility),
    isActive: flagIn(query.is_active),
    isAdmin: flagIn(query.is_admin),
    isRestricted: flagIn(query.is_restricted),
    isLoginProhibited: flagIn(query.is_prohibit_login),
    hasSecondFactor: flagIn(query.is_2fa_enabled),
    seenBy: 'all',
  }
  const [order, descending] = forgejoSorts.get(query.sort ?? '') ?? [readOrder(query.sort), query.order === 'desc']
  return userStore.listPeople(db, lineOf(viewer), filter, page, order, descending)
}

/** A sort that is not known is the default one. */
function readOrder(sort: string | undefined): userStore.UserOrder {
  return sort !== undefined && Object.hasOwn(userStore.userOrders, sort) ? (sort as userStore.UserOrder) : 'name'
}

/** Forgejo's words, which say the direction too. */
const forgejoSorts: ReadonlyMap<string, [userStore.UserOrder, descending: boolean]> = new Map([
  ['oldest', ['created', false]],
  ['newest', ['created', true]],
  ['alphabetically', ['name', false]],
  ['reversealphabetically', ['name', true]],
  ['recentupdate', ['updated', true]],
  ['leastupdate', ['updated', false]],
])
