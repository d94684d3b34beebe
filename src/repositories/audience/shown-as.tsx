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

/** Their page with a line above that says so: links in it stay here, and nothing in it can be sent or runs. */
export function showAs(place: ShownPlace, answer: Response): Response {
  const { home, prefix } = place
  const banner = (<Banner place={place} />) as Html
  const staying = (address: string | null) => {
    const isInside = address !== null && (address === home || ['/', '?', '#'].some((next) => address.startsWith(home + next)))
    return isInside ? prefix + address.slice(home.length) : undefined
  }
  const stay = (name: string) => (element: HTMLRewriterTypes.Element) => {
    const address = staying(element.getAttribute(name))
    if (address !== undefined) element.setAttribute(name, address)
  }
  const page = new HTMLRewriter()
    .on('script', { element: (element) => void element.remove() })
    .on('a[href]', { element: stay('href') })
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

/** Who is played is sent elsewhere: to sign in, or to what is no page of the repository. */
export function answerAsked(place: ShownPlace): Response {
  const page = (
    <Layout visit={place.visit} title="Seen as somebody else">
      <Banner place={place} />
      <h1>{place.role === 'visitor' ? 'They are asked to sign in' : 'They are led elsewhere'}</h1>
      <p>There is nothing else for them at this address.</p>
    </Layout>
  )
  return answerPage(page, 200, headers)
}

function Banner({ place: { repo, role, home, back } }: { place: ShownPlace }) {
  const name = `${repo.owner.name}/${repo.row.name}`
  return (
    <aside class="notice" aria-label="Seen as somebody else">
      <p>
        {`You see ${name} as ${roles[role]} sees it. Nothing can be changed here. `}
        <a href={back}>Back to what you see</a>
        {' · '}
        <a href={`${home}/settings/access`}>Who can see this</a>
      </p>
    </aside>
  )
}
