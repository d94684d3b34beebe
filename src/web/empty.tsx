import type { Child } from './html.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icons.ts'
import type { Visit } from './visit.ts'

interface EmptyProps {
  visit: Visit
  icon: IconName
  /** What there is none of. */
  title: string
  /** What one can do about it. */
  children?: Child
}

/** Stands where a list would, while nothing is in it. */
export function Empty({ visit, icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon visit={visit} name={icon} size={24} />
      <strong>{title}</strong>
      {children}
    </div>
  )
}
