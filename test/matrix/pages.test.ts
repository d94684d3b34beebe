import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { build } from '#app.ts'
import type { Context } from '#context.ts'
import { Services } from '#kernel/services.ts'
import { slices } from '#slices.ts'
import type { PageReply } from '../browser.ts'
import { testsInOrder } from '../in-order.ts'
import { addressOf } from './page-addresses.ts'
import { faultsOf } from './page-judge.ts'
import { makePageWorld, type PageRoute, type PageWorld, pageRoutes, type ViewerName, viewerNames } from './page-world.ts'
import { someOf } from './some-of.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

/** Every page that there is, as everybody who can ask for it. */

/** The more pages there are, the longer this takes. */
setDefaultTimeout(60_000)

/** What a page of this small world takes at most, compressed; PAGES.md says how many questions to the store. */
const MOST_BYTES = 10_000
const MOST_STATEMENTS = 8

let world: PageWorld
let pages: PageRoute[]
beforeAll(async () => {
  world = await makePageWorld()
  pages = (await pageRoutes(world.forge)).filter(({ method }) => method === 'GET')
})
afterAll(() => world[Symbol.asyncDispose]())

const get = (page: PageRoute, viewer: ViewerName) => world.browsers[viewer].get(addressOf(world, page, viewer))

/** Where what comes out is not what the gate's terms say: of a visitor, of somebody, and of an owner of what it is about. */
const otherwise: Record<string, Partial<Record<ViewerName, number>>> = {
  '/user/login': { visitor: 200, stranger: 303, reader: 303, owner: 303, root: 303 },
  '/user/signed_out': { visitor: 200, stranger: 303, reader: 303, owner: 303, root: 303 },
  '/user/sign_up': { visitor: 200, stranger: 303, reader: 303, owner: 303, root: 303 },
  '/user/two_factor': all(303),
  '/user/activate': all(404),
  '/user/activate_email': all(404),
  '/user/recover_account': all(404),
  '/user/sign_in/:secret': all(404),
  '/user/oauth2/:name': all(404),
  '/user/oauth2/:name/callback': all(404),
  '/user/link_account': all(400),
  '/login/oauth/authorize': { visitor: 303 },
  '/login/oauth/userinfo': all(401),
  '/repo-avatars/:name': all(404),
  '/explore': all(303),
  '/attachments/:uuid': { visitor: 404, stranger: 404 },
  '/:owner/:repo/pulls/:index/conflicts': { reader: 403 },
  '/:owner/:repo/releases/latest': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/src': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/src/:kind': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/commits': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/commits/:kind': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/raw/:kind': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/media/:kind': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/issues/new/choose': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/milestones/new': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/tree/*': { reader: 303, owner: 303, root: 303 },
  '/:owner/:repo/blob/*': { reader: 303, owner: 303, root: 303 },
}

function all(status: number): Record<ViewerName, number> {
  return { visitor: status, stranger: status, reader: status, owner: status, root: status }
}

/** What the gate answers: nothing is there for who may not see it, and who only has to sign in is asked to. */
function expectedStatus({ path, kind, asks }: PageRoute, viewer: ViewerName): number {
  const own = otherwise[path]?.[viewer]
  if (own !== undefined) return own
  if (kind === 'anyone' || kind === 'signingIn') return 200
  if (kind === 'signedIn' || kind === 'passwordHolder') return viewer === 'visitor' ? 303 : 200
  if (kind === 'siteAdmin') return viewer === 'root' ? 200 : viewer === 'visitor' ? 303 : 403
  if (viewer === 'visitor' || viewer === 'stranger') return 404
  const level = asks.split(':').at(-1) as string
  return viewer !== 'reader' || ['read', 'visible', 'member'].includes(level) ? 200 : 403
}

/** What each page answers each viewer, asked for once. */
const replies = new Map<string, Promise<PageReply>>()
const reply = (page: PageRoute, viewer: ViewerName) => replies.getOrInsertComputed(`${viewer} ${page.path}`, () => get(page, viewer))

/** Of each page to each viewer what `tell` finds wrong. */
async function wrong(tell: (reply: PageReply, page: PageRoute, viewer: ViewerName) => string[]): Promise<string[]> {
  const found: string[] = []
  for (const page of pages) {
    for (const viewer of viewerNames) {
      const told = tell(await reply(page, viewer), page, viewer)
      found.push(...told.map((one) => `${page.path} to ${viewer}: ${one}`))
    }
  }
  return found
}

const isHtml = ({ headers, text }: PageReply) => headers.get('content-type')?.startsWith('text/html') === true && text !== ''

test('every page is there for who may see it and for nobody else', async () => {
  const told = (reply: PageReply, page: PageRoute, viewer: ViewerName) =>
    reply.status === expectedStatus(page, viewer) ? [] : [`${reply.status}, not ${expectedStatus(page, viewer)}`]
  expect(await wrong(told)).toEqual([])
  expect(pages.length).toBeGreaterThan(100)
})

test('every page is valid, has its landmarks and labels, and holds nothing that runs or comes from elsewhere', async () => {
  expect(await wrong((reply) => (isHtml(reply) ? faultsOf(reply.text) : []))).toEqual([])
})

test('every page is small', async () => {
  const told = (reply: PageReply) => {
    const size = gzipSync(reply.text).length
    return isHtml(reply) && size > MOST_BYTES ? [`${size} bytes`] : []
  }
  expect(await wrong(told)).toEqual([])
})

test('no page asks the store more than eight times', async () => {
  const { db } = world.forge.context
  const asked = [spyOn(db, 'find'), spyOn(db, 'all')]
  const count = () => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  const found: string[] = []
  for (const page of pages) {
    for (const viewer of viewerNames) {
      // What is known from the request before is not asked for again; the first one may still bring to date what it shows.
      await get(page, viewer)
      await get(page, viewer)
      for (const one of asked) one.mockClear()
      const reply = await get(page, viewer)
      if (isHtml(reply) && count() > MOST_STATEMENTS) found.push(`${page.path} to ${viewer}: ${count()}`)
    }
  }
  for (const one of asked) one.mockRestore()
  expect(found).toEqual([])
})

/** What else browsers, proxies and people's settings send along. */
const others: Record<string, string>[] = [
  { 'Accept-Language': 'de', 'User-Agent': 'Mozilla/5.0 (X11; Linux) Firefox/200', Referer: 'http://localhost/owner' },
  { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere.example' },
  {
    'Sec-Fetch-Site': 'cross-site',
    'Sec-Fetch-Mode': 'navigate',
    'Save-Data': 'on',
    DNT: '1',
    'Sec-CH-Prefers-Color-Scheme': 'dark',
    Origin: 'http://a.example',
  },
]

test('what is kept of a page is what anybody else who asks for it in the name of the same person is answered', async () => {
  const { config } = world.forge.context
  const services = new Services(() => keeping)
  const keeping: Context = { ...world.forge.context, config: { ...config, server: { ...config.server, PAGE_CACHE_SIZE: 16_777_216 } }, services }
  for (const { attach } of slices) attach?.(keeping)
  const app = build(keeping)
  let kept = 0
  const ask = async (page: PageRoute, viewer: ViewerName, headers: Record<string, string>, by = world.forge.app) => {
    const init = { headers: { Accept: 'text/html', ...world.browsers[viewer].headers, ...headers } }
    return by.handle(new Request(`http://localhost${addressOf(world, page, viewer)}`, init))
  }
  for (const [i, page] of pages.entries()) {
    for (const viewer of viewerNames) {
      const first = await ask(page, viewer, {}, app)
      const again = await ask(page, viewer, {}, app)
      if (!first.headers.get('etag')?.startsWith('W/"') || !first.headers.get('content-type')?.startsWith('text/html')) continue
      kept++
      const told = [page.path, viewer, await first.text()]
      expect([page.path, viewer, await again.text()]).toEqual(told)
      for (const headers of someOf(others, others.length, i)) expect([page.path, viewer, await (await ask(page, viewer, headers)).text()]).toEqual(told)
    }
  }
  await services[Symbol.asyncDispose]()
  expect(kept).toBeGreaterThan(100)
})
