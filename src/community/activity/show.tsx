import { Avatar, type Child, Empty, Time, type Visit } from '#web/index.ts'
import type { Activity } from './schema.ts'
import { type Part, tell } from './tell.ts'

/** What people did, newest first. */
export function ActivityList({ visit, activities }: { visit: Visit; activities: readonly Activity[] }) {
  if (activities.length === 0) return <Empty visit={visit} icon="history" title="No activity yet" />
  return (
    <ul class="list">
      {activities.map((activity) => {
        const { sentence, lines } = tell(activity)
        const who = activity.act_user.login
        return (
          <li class="row">
            <Avatar visit={visit} of={activity.act_user} size={24} />
            <div class="main">
              <a href={visit.to`/${who}`}>{who}</a> {sentence.map((part) => [show(visit, part), ' '])}
              <span class="faint">
                <Time at={Date.parse(activity.created) / 1000} />
              </span>
              {lines.map((line) => (
                <p class="faint">{show(visit, line)}</p>
              ))}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function show(visit: Visit, part: Part): Child {
  return typeof part === 'string' ? part : <a href={visit.below(part.path)}>{part.text}</a>
}
