import { favicon, stylesheet } from './assets.ts'
import { DoneNote } from './done.tsx'
import type { Child } from './html.ts'
import { scriptName } from './script.ts'
import { SiteHeader } from './site-header.tsx'
import type { Visit } from './visit.ts'

interface LayoutProps {
  visit: Visit
  /** What the page is about; the forge's name follows. */
  title: string
  /** The address of a further script of ours, for the few pages that cannot do without. */
  script?: string
  /** Where what the page tells is a feed, without `.rss` or `.atom`. */
  feed?: string | undefined
  children: Child
}

/** Light or dark, for who chose one; the browser's own choice otherwise. Gitea's clients write its names of the same. */
function themeOf({ viewer: { user } }: Visit): string | undefined {
  return /(?:^|-)(light|dark)$/.exec(user?.theme ?? '')?.[1]
}

/** A whole page: what every one has at its top, and between the landmarks what it is about. */
export function Layout({ visit, title, script, feed, children }: LayoutProps) {
  return (
    <html lang="en" data-theme={themeOf(visit)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Pocketforge`}</title>
        <link rel="stylesheet" href={visit.to`/assets/web/${stylesheet.name}`} />
        <link rel="icon" type="image/svg+xml" href={visit.to`/assets/web/${favicon.name}`} />
        <script type="module" src={visit.to`/assets/web/${scriptName}`} />
        {script !== undefined && <script type="module" src={script} />}
        <link rel="search" type="application/opensearchdescription+xml" title="Pocketforge" href={visit.to`/opensearch.xml`} />
        {feed !== undefined && <link rel="alternate" type="application/rss+xml" title={`${title} (RSS)`} href={`${feed}.rss`} />}
        {feed !== undefined && <link rel="alternate" type="application/atom+xml" title={`${title} (Atom)`} href={`${feed}.atom`} />}
      </head>
      <body data-base={visit.to`/`} data-viewer={visit.viewer.user?.name}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <SiteHeader visit={visit} />
        <main id="content">
          <DoneNote visit={visit} />
          {children}
        </main>
      </body>
    </html>
  )
}
