import { type Child, Time, type Visit } from '#web/index.ts'
import type { Activity } from './schema.ts'
import { type Part, tell } from './tell.ts'

/** What people did, newest first. */
export function ActivityList({ visit, activities }: { visit: Visit; activities: readonly Activity[] }) {
  if (activities.length === 0) return <p class="faint">Nothing has happened here yet that you can see.</p>
  return (
    <ul class="list">
      {activities.map((activity) => {
        const { sentence, lines } = tell(activity)
        const who = activity.act_user.login
        return (
          <li>
            <a href={visit.to`/${who}`}>{who}</a> {sentence.map((part) => [show(visit, part), ' '])}
            <span class="faint">
              <Time at={Date.parse(activity.created) / 1000} />
            </span>
            {lines.map((line) => (
              <p>{show(visit, line)}</p>
            ))}
          </li>
        )
      })}
    </ul>
  )
}

function show(visit: Visit, part: Part): Child {
  return typeof part === 'string' ? part : <a href={visit.below(part.path)}>{part.text}</a>
}
