import type { IconName } from './icon-names.ts'
import { Icon } from './icons.ts'
import { numberText } from './numbers.ts'
import type { Visit } from './visit.ts'

export interface Tab {
  name: string
  href: string
  text: string
  icon?: IconName
  /** Of what is behind it; none is shown for nothing. */
  count?: number | undefined
}

interface TabsProps {
  visit: Visit
  /** What they are ways through. */
  label: string
  tabs: readonly Tab[]
  /** The name of the one that is open. */
  now: string | undefined
}

/** Ways to the pages beside this one. */
export function Tabs({ visit, label, tabs, now }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, text, icon, count = 0 }) => (
        <a href={href} aria-current={name === now ? 'page' : undefined}>
          {icon !== undefined && <Icon visit={visit} name={icon} />}
          {text}
          {count > 0 && <span class="count">{numberText(count)}</span>}
        </a>
      ))}
    </nav>
  )
}
