import type { Child } from './html.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icons.ts'
import { Time } from './time.tsx'
import type { Visit } from './visit.ts'

/** Something that is not there any more, for who can bring it back. */
export interface DeletedThing {
  /** The value that the form sends. */
  key: string
  name: string
  /** The name of who deleted it; null when they are gone. */
  by: string | null
  /** In Unix seconds. */
  deletedAt: number
  until: number
  /** What else there is to say, before who deleted it and when. */
  facts?: Child
}

interface Props {
  visit: Visit
  /** Where the form goes: its `id` says which. */
  action: string
  deleted: readonly DeletedThing[]
  icon: IconName
}

/** Each with the button that brings it back. */
export function DeletedLately({ visit, action, deleted, icon }: Props) {
  if (deleted.length === 0) return null
  return (
    <section>
      <h3>Recently deleted</h3>
      <form method="post" action={action}>
        <ul class="list">
          {deleted.map((one) => (
            <li class="entry">
              <div class="what grows">
                <Icon visit={visit} name={icon} /> {one.name}
                <p class="faint">
                  {one.facts}
                  {'deleted '}
                  {one.by !== null && ['by ', <a href={visit.to`/${one.by}`}>{one.by}</a>, ' ']}
                  <Time at={one.deletedAt} />
                  {`, can be restored until ${new Date(one.until * 1000).toISOString().slice(0, 10)}`}
                </p>
              </div>
              <button type="submit" name="id" value={one.key} aria-label={`Restore ${one.name}`}>
                Restore
              </button>
            </li>
          ))}
        </ul>
      </form>
    </section>
  )
}
