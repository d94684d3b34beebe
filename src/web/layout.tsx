import { stylesheet } from './assets.ts'
import type { Child } from './html.ts'
import { scriptName } from './script.ts'
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

/** A whole page: what every one has at its top, and between the landmarks what it is about. */
export function Layout({ visit, title, script, feed, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Pocketforge`}</title>
        <link rel="stylesheet" href={visit.to`/assets/web/${stylesheet.name}`} />
        <link rel="icon" href="data:," />
        <script type="module" src={visit.to`/assets/web/${scriptName}`} />
        {script !== undefined && <script type="module" src={script} />}
        <link rel="search" type="application/opensearchdescription+xml" title="Pocketforge" href={visit.to`/opensearch.xml`} />
        {feed !== undefined && <link rel="alternate" type="application/rss+xml" title={`${title} as a feed`} href={`${feed}.rss`} />}
        {feed !== undefined && <link rel="alternate" type="application/atom+xml" title={`${title} as a feed`} href={`${feed}.atom`} />}
      </head>
      <body data-base={visit.to`/`} data-viewer={visit.viewer.user?.name}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <nav aria-label="Site">
            <a class="brand" href={visit.to`/`}>
              Pocketforge
            </a>
            <a href={visit.to`/explore/repos`}>Explore</a>
          </nav>
          <Account visit={visit} />
        </header>
        <main id="content">{children}</main>
      </body>
    </html>
  )
}

function Account({ visit }: { visit: Visit }) {
  const { user } = visit.viewer
  if (!user) return <a href={`${visit.to`/user/login`}?redirect_to=${encodeURIComponent(visit.path)}`}>Sign in</a>
  return (
    <form class="account" method="post" action={visit.to`/user/logout`}>
      <a href={visit.to`/${user.name}`}>{user.name}</a>
      <a href={visit.to`/notifications`}>Notifications</a>
      <a href={visit.to`/repo/create`}>New repository</a>
      <a href={visit.to`/user/settings`}>Settings</a>
      {user.is_admin === 1 && <a href={visit.to`/-/admin`}>Administration</a>}
      <button type="submit">Sign out</button>
    </form>
  )
}
