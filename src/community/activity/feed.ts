import { answerFeed, escapeHtml, type FeedForm, raw, type Visit } from '#web/index.ts'
import type { Activity } from './schema.ts'
import { sentenceText, tell } from './tell.ts'

/** Activities for feed readers. @param path of the page that tells the same, below the server's root */
export function answerActivities(
  visit: Visit,
  activities: readonly Activity[],
  { title, path, form }: { title: string; path: string; form: FeedForm },
): Response {
  const items = activities.map((activity) => {
    const what = tell(activity)
    const lines = what.lines.map((line) => `<li>${escapeHtml(typeof line === 'string' ? line : line.text)}</li>`)
    return {
      id: `${visit.root}activity/${activity.id}`,
      title: sentenceText(activity, what),
      link: visit.root + what.path,
      author: activity.act_user.login,
      at: Date.parse(activity.created) / 1000,
      ...(lines.length === 0 ? {} : { content: raw(`<ul>${lines.join('')}</ul>`) }),
    }
  })
  return answerFeed({ title, link: visit.root + path, self: visit.here, items }, form)
}
