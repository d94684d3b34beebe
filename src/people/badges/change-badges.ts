import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { type BadgeRow, deleteBadge, deleteUserBadge, findBadge, insertBadge, insertUserBadge } from './store.ts'

type StoreContext = Pick<Context, 'db'>

/** @throws Unprocessable on a slug that is malformed or taken, and on an address that is none */
export function addBadge({ db }: StoreContext, badge: Omit<BadgeRow, 'id'>): void {
  const { slug, image_url: imageUrl } = badge
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(slug)) {
    throw new Unprocessable(`Invalid slug "${slug}": use up to 64 lowercase letters, digits, dots, dashes and underscores, starting with a letter or digit`)
  }
  if (imageUrl !== '' && !/^https?:\/\/[^\s]+$/.test(imageUrl)) {
    throw new Unprocessable(`Invalid image URL "${imageUrl}": it must start with http:// or https://`)
  }
  db.tx((tx) => {
    if (findBadge(tx, slug)) throw new Unprocessable(`badge already exists [slug: ${slug}]`)
    insertBadge(tx, badge)
  })
}

/** Removes a badge, also from everyone who has it. @throws NotFound */
export function removeBadge({ db }: StoreContext, slug: string): void {
  db.tx((tx) => {
    const badge = findBadge(tx, slug)
    if (!badge) throw new NotFound(noSuchBadge(slug))
    deleteBadge(tx, badge.id)
  })
}

/** Gives a person badges; those they have, they keep. @throws Unprocessable when there is no such badge; then none is given */
export function giveBadges({ db }: StoreContext, user: UserRow, slugs: readonly string[]): void {
  db.tx((tx) => {
    for (const slug of slugs) {
      const badge = findBadge(tx, slug)
      if (!badge) throw new Unprocessable(noSuchBadge(slug))
      insertUserBadge(tx, user.id, badge.id)
    }
  })
}

/** Takes badges from a person; what they do not have is passed over. */
export function takeBadges({ db }: StoreContext, user: UserRow, slugs: readonly string[]): void {
  db.tx((tx) => {
    for (const slug of slugs) {
      const badge = findBadge(tx, slug)
      if (badge) deleteUserBadge(tx, user.id, badge.id)
    }
  })
}

/** @throws NotFound; Unprocessable when it is an organization */
export function getBadgeHolder(db: Db, name: string): UserRow {
  const found = accessStore.findUserByName(db, name)
  if (!found) throw new NotFound(`user redirect does not exist [name: ${name}]`)
  if (found.kind !== 'person') throw new Unprocessable(`${found.name} is an organization not a user`)
  return found
}

function noSuchBadge(slug: string): string {
  return `badge does not exist [slug: ${slug}]`
}
