import { addBadge, listBadges, presentBadge, removeBadge } from '#people/badges/index.ts'
import type { Session } from './environment.ts'
import type { StoreOptions } from './load.ts'
import { openOrMakeStore, openStore } from './open-store.ts'
import { painter, printable, table } from './terminal.ts'

export interface AddBadgeOptions extends StoreOptions {
  slug: string
  description: string
  imageUrl: string
}

export async function addBadgeCommand({ slug, description, imageUrl, ...options }: AddBadgeOptions, session: Session): Promise<void> {
  await using context = openOrMakeStore(options, session)
  addBadge(context, { slug, description, image_url: imageUrl })
  session.out.print(`Created badge "${slug}".`)
}

export interface ListBadgesOptions extends StoreOptions {
  json?: boolean
}

/** All badges, by slug. */
export async function listBadgesCommand(options: ListBadgesOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  const badges = listBadges(context.db).map(presentBadge)
  if (options.json) return session.out.print(JSON.stringify(badges, null, 2))
  const paint = painter(session.out)
  const cells = badges.map((badge) => [badge.slug, badge.description, badge.image_url].map(printable))
  session.out.print(table([['SLUG', 'DESCRIPTION', 'IMAGE URL'], ...cells], (text, row) => (row === 0 ? paint('bold', text) : text)))
}

export interface RemoveBadgeOptions extends StoreOptions {
  slug: string
}

export async function removeBadgeCommand(options: RemoveBadgeOptions, session: Session): Promise<void> {
  await using context = openStore(options, session)
  removeBadge(context, options.slug)
  session.out.print(`Deleted badge "${printable(options.slug)}" and removed it from all users.`)
}
