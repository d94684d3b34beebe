import { getAccount, lineOf } from '#access/index.ts'
import { answerActivities, readFeed } from '#community/activity/index.ts'
import type { Context } from '#context.ts'
import { rawHeaders } from '#kernel/http.ts'
import { armorKeys, listCertificates } from '#people/gpg/index.ts'
import { readKeyLines } from '#people/keys/index.ts'
import { type FeedForm, seeOther, type Visit } from '#web/index.ts'

const endings = ['keys', 'gpg', 'png', 'rss', 'atom'] as const
type Ending = (typeof endings)[number]

export const FEED_ITEMS = 20

/** `ada.keys` as the account's name and what is asked for of it; undefined for a name without such an ending, which is an account's own. */
export function parseAccountFile(text: string): { name: string; ending: Ending } | undefined {
  const dot = text.lastIndexOf('.')
  const ending = endings.find((one) => one === text.slice(dot + 1).toLowerCase())
  return dot > 0 && ending ? { name: text.slice(0, dot), ending } : undefined
}

/** What programs ask about an account by its name: keys, its picture, a feed. @throws NotFound */
export async function serveAccountFile(context: Context, visit: Visit, name: string, ending: Ending): Promise<Response> {
  const account = getAccount(context.db, visit.viewer, name)
  if (account.lower_name !== name.toLowerCase()) return seeOther(visit.to`/${`${account.name}.${ending}`}`)
  switch (ending) {
    case 'keys':
      return plain(await readKeyLines(context.db, lineOf(visit.viewer), account.id))
    case 'gpg':
      return plain(armorKeys(listCertificates(context.db, account.id)))
    case 'png':
      return seeOther(visit.to`/avatars/${account.avatar || account.id}`)
    default:
      return serveFeed(context, visit, account, ending)
  }
}

function plain(text: string): Response {
  return new Response(text, { headers: { ...rawHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'private, no-cache' } })
}

async function serveFeed(context: Context, visit: Visit, account: ReturnType<typeof getAccount>, form: FeedForm): Promise<Response> {
  const feed = { of: account.kind === 'organization' ? 'org' : 'actor', id: account.id } as const
  const activities = await readFeed(context, visit.viewer, feed, { page: { page: 1, limit: FEED_ITEMS, offset: 0 } })
  return answerActivities(visit, activities, { title: `Feed of ${account.full_name || account.name}`, path: encodeURIComponent(account.name), form })
}
