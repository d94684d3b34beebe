import { escapeHtml, type Html, raw } from './html.ts'
import type { IconName } from './icon-names.ts'
import type { Visit } from './visit.ts'

interface IconProps {
  visit: Visit
  name: IconName | 'pocketforge'
  /** What it says, where no words beside it do; without it the icon is hidden from who listens. */
  label?: string
  /** Pixels. */
  size?: 12 | 16 | 24 | 32
}

/** An icon in the colour of the text around it. Lists show hundreds, so it is written down at once and not as elements. */
export function Icon({ visit, name, label, size = 16 }: IconProps): Html {
  const said = label === undefined ? 'aria-hidden="true"' : `role="img" aria-label="${escapeHtml(label)}"`
  return raw(`<svg class="icon" width="${size}" height="${size}" ${said}><use href="${escapeHtml(visit.icons)}#${name}"/></svg>`)
}
