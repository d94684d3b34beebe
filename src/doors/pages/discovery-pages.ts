import { Elysia } from 'elysia'
import { anonymous } from '#access/index.ts'
import type { Context } from '#context.ts'
import { escapeHtml, seeOther, Visit } from '#web/index.ts'

const hidden = { detail: { hide: true } }
const headers = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'public, max-age=3600' }

/** What costs much and says nothing that is not said elsewhere: each commit's files, each pair of commits, each line's commit. */
const keptFromRobots = [
  '/api/',
  '/*/*/archive/',
  '/*/*/blame/',
  '/*/*/commits/',
  '/*/*/compare/',
  '/*/*/graph',
  '/*/*/raw/commit/',
  '/*/*/src/commit/',
  '/*/*/search',
  '/user/',
  '/*?*q=',
]

/** What robots, browsers and password managers ask about a site before they ask for its pages; the same for everybody. */
export function discovery(context: Context) {
  return new Elysia({ name: 'site.discovery' })
    .get('/robots.txt', () => new Response(robots(context), { headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } }), hidden)
    .get('/.well-known/change-password', ({ request }) => seeOther(new Visit(context, anonymous, request).to`/user/settings/change_password`), hidden)
    .get('/opensearch.xml', ({ request }) => describeSearch(new Visit(context, anonymous, request)), hidden)
}

/** Where people must sign in there is nothing for robots. */
function robots({ config, rootUrl }: Pick<Context, 'config' | 'rootUrl'>): string {
  const base = new URL(rootUrl).pathname
  const kept = config.service.REQUIRE_SIGNIN_VIEW ? ['/'] : keptFromRobots
  return `User-agent: *\n${kept.map((path) => `Disallow: ${base}${path.slice(1)}\n`).join('')}`
}

/** Source: OpenSearch 1.1, draft 6. */
function describeSearch(visit: Visit): Response {
  const template = escapeHtml(`${visit.at`explore/repos`}?q={searchTerms}`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Pocketforge</ShortName><Description>Search repositories on ${escapeHtml(new URL(visit.root).host)}</Description><InputEncoding>UTF-8</InputEncoding><Url type="text/html" template="${template}"/></OpenSearchDescription>
`
  return new Response(text, { headers: { ...headers, 'Content-Type': 'application/opensearchdescription+xml; charset=utf-8' } })
}
