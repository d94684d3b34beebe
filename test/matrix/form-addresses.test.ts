import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { addressOf } from './page-addresses.ts'
import { makePageWorld, type PageRoute, type PageWorld, pageRoutes } from './page-world.ts'

/** Whoever reloads a form that was refused, or comes back to its address, finds a page. */

setDefaultTimeout(120_000)

let world: PageWorld
beforeAll(async () => {
  world = await makePageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Programs post there, with credentials of their own. */
const forPrograms = /^\/login\/oauth\/(?:access_token|introspect|revoke|userinfo)$/

/** An address of a route, and whether what it names is there: where the pages' examples do not know a parameter, anything stands for it. */
function addressAt(world: PageWorld, route: PageRoute): { address: string; isThere: boolean } {
  try {
    return {
      address: addressOf(world, { ...route, path: route.path.replace('/:owner/:repo/settings/teams', '/:org/works/settings/teams') }, 'root'),
      isThere: true,
    }
  } catch {
    return { address: route.path.replace(/:(\w+)/g, (_, name) => world.params[name] ?? '1').replace('*', '1'), isThere: false }
  }
}

test('every address that only forms are sent to leads to a page above it', async () => {
  const routes = await pageRoutes(world.forge)
  const read = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const posted = routes.filter(({ method, path }) => method === 'POST' && !read.has(path) && !forPrograms.test(path))
  const wrong: string[] = []
  for (const route of posted) {
    const { address, isThere } = addressAt(world, route)
    const { status, headers } = await world.browsers.root.get(address)
    // An address may be another page's, as that of a wiki page is.
    if (status === 200) continue
    const location = headers.get('location') ?? ''
    const page = status === 303 ? (await world.browsers.root.get(location)).status : 0
    if (![200, 303, ...(isThere ? [] : [404])].includes(page)) wrong.push(`${route.line} (${address}): ${status} ${location} ${page}`)
  }
  expect(wrong).toEqual([])
  expect(posted.length).toBeGreaterThan(100)
})

test('programs are told that the address takes forms only', async () => {
  const { status, headers } = await world.forge.app.handle(new Request('http://localhost/owner/engine/pulls/1/merge', { headers: { Accept: '*/*' } }))
  expect([status, headers.get('allow')]).toEqual([405, 'POST'])
})
