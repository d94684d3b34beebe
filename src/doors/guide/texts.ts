import type { GuidePage } from '#web/index.ts'
import administration from '../../../assets/guide/administration.md' with { type: 'text' }
import authentication from '../../../assets/guide/authentication.md' with { type: 'text' }
import gettingStarted from '../../../assets/guide/getting-started.md' with { type: 'text' }
import gitea from '../../../assets/guide/gitea.md' with { type: 'text' }
import repositories from '../../../assets/guide/repositories.md' with { type: 'text' }
import reverseProxy from '../../../assets/guide/reverse-proxy.md' with { type: 'text' }
import secondFactors from '../../../assets/guide/second-factors.md' with { type: 'text' }
import settings from '../../../assets/guide/settings.md' with { type: 'text' }
import teams from '../../../assets/guide/teams.md' with { type: 'text' }
import tokens from '../../../assets/guide/tokens.md' with { type: 'text' }
import troubleshooting from '../../../assets/guide/troubleshooting.md' with { type: 'text' }
import { settingsTable } from './settings-table.ts'

const texts: Record<GuidePage, string> = {
  'getting-started': gettingStarted,
  repositories,
  teams,
  tokens,
  authentication,
  'second-factors': secondFactors,
  'reverse-proxy': reverseProxy,
  administration,
  settings,
  troubleshooting,
  gitea,
}

export function isGuidePage(name: string): name is GuidePage {
  return Object.hasOwn(texts, name)
}

/** Returns the Markdown of a page as `assets/guide` has it, with the list of settings filled in. */
export function guideText(page: GuidePage): string {
  return page === 'settings' ? `${texts.settings}\n${settingsTable()}` : texts[page]
}
