import type { Child } from './html.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icons.ts'
import type { Visit } from './visit.ts'

interface PopupProps {
  id: string
  /** What its button opens, where its face does not say that in words. */
  label?: string
  /** What the button shows. */
  face: Child
  /** How the button looks. */
  look?: 'quiet' | 'status'
  children: Child
}

/** A menu that the browser itself opens below its button and closes again: with Escape, or a click elsewhere. */
export function Popup({ id, label, face, look, children }: PopupProps) {
  return (
    <>
      <button class={look} type="button" popovertarget={id} aria-label={label} title={label}>
        {face}
      </button>
      <div class="popup" id={id} popover="auto">
        {children}
      </div>
    </>
  )
}

interface WayProps {
  visit: Visit
  to: string
  icon?: IconName
  /** Whether it is what the page shows already. */
  isNow?: boolean
  children: string
}

/** One of the ways that a menu has. */
export function Way({ visit, to, icon, isNow = false, children }: WayProps) {
  return (
    <a href={to} aria-current={isNow ? 'true' : undefined}>
      {icon !== undefined && <Icon visit={visit} name={icon} />}
      {children}
    </a>
  )
}
