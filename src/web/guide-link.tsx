import type { Visit } from './visit.ts'

/** Titles of the pages of the guide, by the name in their address, in the order in which the guide lists them. */
export const guideTitles = {
  'getting-started': 'Getting started',
  repositories: 'Repositories and pull requests',
  teams: 'Users and teams',
  tokens: 'Tokens and API',
  authentication: 'Authentication sources',
  'second-factors': 'Two-factor authentication',
  'reverse-proxy': 'Reverse proxy',
  administration: 'Administration',
  settings: 'Settings reference',
  troubleshooting: 'Troubleshooting',
  gitea: 'Moving from and to Gitea',
} as const

export type GuidePage = keyof typeof guideTitles

/** A link to the page of the guide that explains the current page. */
export function GuideLink({ visit, page }: { visit: Visit; page: GuidePage }) {
  return (
    <p class="faint">
      <a href={visit.to`/-/guide/${page}`}>{`Guide: ${guideTitles[page]}`}</a>
    </p>
  )
}
