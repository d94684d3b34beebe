import type { RepoAccess } from '#access/index.ts'
import { answerPage, type Html, Layout, pageHeaders, type Visit } from '#web/index.ts'
import { type Role, roles } from './made-up.ts'

/** A page that is shown as somebody else sees it. */
export interface ShownPlace {
  visit: Visit
  repo: RepoAccess
  role: Role
  /** The repository's address, and the one that stands before its pages as they are shown here. */
  home: string
  prefix: string
  /** Where the page itself is. */
  back: string
}

const headers = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/**
 * Their page with a line above that says so: links in it stay here, pictures are asked for as it was, and nothing in it can be sent or runs.
 * What stands above every page would lead out of it.
 */
export function showAs(place: ShownPlace, answer: Response): Response {
  const banner = (<Banner place={place} />) as Html
  const stay = (name: string) => (element: HTMLRewriterTypes.Element) => {
    const address = staying(place, element.getAttribute(name))
    if (address !== undefined) element.setAttribute(name, address)
  }
  const page = new HTMLRewriter()
    .on('script', { element: (element) => void element.remove() })
    .on('header.top', { element: (element) => void element.setAttribute('inert', '') })
    .on('a[href]', { element: stay('href') })
    .on('img[src]', { element: (element) => showPicture(place, element) })
    .on('source', { element: (element) => void element.remove() })
    .on('form', {
      element(element) {
        if (element.getAttribute('method')?.toLowerCase() !== 'post') return stay('action')(element)
        // Such a form sends nothing, and outside of dialogs does nothing.
        element.setAttribute('method', 'dialog')
        element.removeAttribute('action')
        element.setAttribute('inert', '')
      },
    })
    .on('main', { element: (element) => void element.prepend(banner.text, { html: true }) })
    .transform(answer)
  return new Response(page.body, { status: answer.status, headers: { ...pageHeaders, ...headers } })
}

/** A picture on such a page, as it was answered to whoever is played. */
export function showPictureAs(answer: Response): Response {
  const shown = new Response(answer.body, answer)
  for (const [name, value] of Object.entries(headers)) shown.headers.set(name, value)
  return shown
}

/** Where something of the repository is shown as whoever is played sees it; undefined for what is elsewhere. Texts name it in full. */
function staying({ visit, home, prefix }: ShownPlace, address: string | null): string | undefined {
  const path = address?.startsWith(visit.root) ? visit.below(address.slice(visit.root.length)) : address
  const isInside = typeof path === 'string' && (path === home || ['/', '?', '#'].some((next) => path.startsWith(home + next)))
  return isInside ? prefix + path.slice(home.length) : undefined
}

/** Those of other repositories would come with the rights of whoever looks on; of accounts they are everybody's. */
function showPicture(place: ShownPlace, element: HTMLRewriterTypes.Element): void {
  const { visit } = place
  const source = element.getAttribute('src') ?? ''
  const inside = staying(place, source)
  if (inside !== undefined) element.setAttribute('src', inside)
  else if (![visit.to`/avatars/`, visit.to`/repo-avatars/`, 'data:'].some((begin) => source.startsWith(begin))) element.removeAttribute('src')
}

/** Who is played is sent elsewhere: to sign in, or to what is no page of the repository. */
export function answerAsked(place: ShownPlace): Response {
  const page = (
    <Layout visit={place.visit} title="View as another user">
      <Banner place={place} />
      <h1>{place.role === 'visitor' ? 'Sign-in required' : 'Redirected to another page'}</h1>
      <p>
        {place.role === 'visitor'
          ? 'The server asks an anonymous visitor to sign in at this address.'
          : 'This address redirects the user to a page outside the repository.'}
      </p>
    </Layout>
  )
  return answerPage(page, 200, headers)
}

function Banner({ place: { repo, role, home, back } }: { place: ShownPlace }) {
  const name = `${repo.owner.name}/${repo.row.name}`
  return (
    <aside class="notice" aria-label="View as another user">
      <p>
        {`You are viewing ${name} as ${roles[role]}. This view is read-only. `}
        <a href={back}>Back to your own view</a>
        {' · '}
        <a href={`${home}/settings/access`}>Access report</a>
      </p>
    </aside>
  )
}
