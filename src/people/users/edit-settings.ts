import type { Static } from 'elysia'
import type { UserRow } from '#access/index.ts'
import type { Row } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import type { UserContext } from './create-user.ts'
import type { UserSettingsOptions } from './schema.ts'
import { updateUser } from './store.ts'

/** Changes what is given of the account's own settings; returns the account as it is then. */
export function editSettings(context: UserContext, user: UserRow, { hide_email, hide_activity, ...texts }: Static<typeof UserSettingsOptions>): UserRow {
  if (texts.website !== undefined) checkWebsite(texts.website)
  const change: Row = { ...knownTexts(texts), updated_at: context.clock.seconds() }
  if (hide_email !== undefined) change.hide_email = Number(hide_email)
  if (hide_activity !== undefined) change.hide_activity = Number(hide_activity)
  context.db.tx((tx) => updateUser(tx, user.id, change))
  return { ...user, ...(change as Partial<UserRow>) }
}

/** @throws Unprocessable unless it is empty or an http address: browsers follow it from a profile */
export function checkWebsite(website: string): void {
  if (website !== '' && !/^https?:\/\/[^\s]+$/i.test(website))
    throw new Unprocessable('[Website]: the website must be a URL that starts with http:// or https://')
}

const textColumns = ['full_name', 'website', 'description', 'location', 'pronouns', 'language', 'theme', 'diff_view_style'] as const

/** Column names are taken from this list, never from the body, which may hold members of any name. */
function knownTexts(texts: Partial<Record<(typeof textColumns)[number], string>>): Row {
  return Object.fromEntries(textColumns.flatMap((column) => (texts[column] === undefined ? [] : [[column, texts[column]]])))
}
