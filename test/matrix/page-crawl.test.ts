import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { attacks } from '../markdown-attacks.ts'
import { soak } from '../soak.ts'
import { activeIn, attributeOf, faultsOf, isWritten, readPage } from './page-judge.ts'
import { makePageWorld, type PageWorld, REPO, type ViewerName, viewerNames } from './page-world.ts'

/** Every page that can be come to by links, in a forge where every word that people wrote tries to become a part of the page. */

setDefaultTimeout(120_000)

/** Closes what it may stand in, and brings an element and attributes that no page of ours has. */
const PAYLOAD = `'"><x-pwn onload=a()><!--{{7*7}}\u202e`
const words = { line: PAYLOAD, text: `${PAYLOAD}\n\n${attacks.map(([, text]) => text).join('\n\n')}`.slice(0, 30_000) }
/** More pages than that somebody need not come to. */
const MOST = soak(250, 600)
/** Nor to more of those whose addresses differ by numbers and values alone. */
const MOST_OF_A_SHAPE = soak(2, MOST)

const shapeOf = ({ pathname, searchParams }: URL) => [pathname.replaceAll(/[0-9a-f]{40}|\d+/g, '#'), ...searchParams.keys()].join(' ')

let world: PageWorld
beforeAll(async () => {
  world = await makePageWorld({ isPrivate: false, words })
  await writeFurther(world)
})
afterAll(() => world[Symbol.asyncDispose]())

/** What is written by forms alone, or where some words are refused. */
async function writeFurther({ forge, browsers }: PageWorld): Promise<void> {
  const at = `/repos${REPO}`
  const as = 'owner'
  const link = `javascript:alert(1)//"'><x-pwn>`
  await forge.asUser(as).patch('/user/settings', { full_name: PAYLOAD, description: PAYLOAD, location: PAYLOAD, website: link })
  await forge.asUser(as).patch(at, { description: PAYLOAD, website: link })
  await forge.asUser(as).post(`${at}/branches`, { new_branch_name: `x"'><x-pwn>`, old_branch_name: 'main' })
  await forge.asUser(as).post(`${at}/tags`, { tag_name: `t"'><x-pwn>`, target: 'main', message: words.text })
  const author = { name: PAYLOAD.replaceAll(/[<>]/g, ''), email: 'a@example.org' }
  const file = encodeURIComponent(`f"'><x-pwn onload=a()>.ts`)
  await forge.asUser(as).post(`${at}/contents/${file}`, { content: Buffer.from(words.text).toString('base64'), message: words.text, branch: 'main', author })
  await forge.asUser(as).post(`${at}/wiki/new`, { title: PAYLOAD.replaceAll(/[/\u202e]/g, ''), content_base64: Buffer.from(words.text).toString('base64') })
  await forge.asUser(as).post(`${at}/issues`, { title: `x`.repeat(255), body: 'y'.repeat(60_000) })
  await forge.asUser(as).post(`${at}/issues`, { title: 'NUL \0 and bidi \u202e\u2066', body: 'NUL \0 and bidi \u202e\u2066' })
  const { commit } = (await forge.asUser(as).get<{ commit: { id: string } }>(`${at}/branches/main`)).body
  await forge.asUser(as).post(`${at}/statuses/${commit.id}`, { state: 'failure', context: PAYLOAD, description: PAYLOAD, target_url: link })
  await browsers.owner.post('/user/settings', { full_name: PAYLOAD, website: link, location: PAYLOAD, description: PAYLOAD })
}

interface Crawl {
  /** Pages by their address, with what was found in each. */
  pages: Map<string, { foreign: string[]; faults: string[]; isMarked: boolean }>
  /** What is not there or failed, with where it was linked from. */
  dead: string[]
}

const crawls = new Map<ViewerName, Promise<Crawl>>()

function crawl(viewer: ViewerName): Promise<Crawl> {
  const known = crawls.get(viewer) ?? crawlAs(viewer)
  crawls.set(viewer, known)
  return known
}

async function crawlAs(viewer: ViewerName): Promise<Crawl> {
  const seen = new Map([['/', 'the start']])
  const shapes = new Map<string, number>()
  const pages: Crawl['pages'] = new Map()
  const dead: string[] = []
  for (const [address, from] of seen) {
    const { status, text, headers } = await world.browsers[viewer].get(address)
    if (status === 404 || status >= 500) dead.push(`${status} ${address} on ${from}`)
    const location = headers.get('location')
    const isPage = headers.get('content-type')?.startsWith('text/html') === true
    if (isPage) pages.set(address, { foreign: foreignIn(text), faults: faultsOf(text), isMarked: text.includes('x-pwn') })
    for (const next of [...(location === null ? [] : [location]), ...(isPage ? linksIn(text) : [])]) {
      const url = URL.parse(next, `http://localhost${address}`)
      if (url?.origin !== 'http://localhost' || seen.size >= MOST || seen.has(url.pathname + url.search)) continue
      const [shape, count] = [shapeOf(url), shapes.get(shapeOf(url)) ?? 0]
      if (count >= MOST_OF_A_SHAPE) continue
      shapes.set(shape, count + 1)
      seen.set(url.pathname + url.search, address)
    }
  }
  return { pages, dead }
}

/** Elements and attributes that no page of ours has, and what could run. */
function foreignIn(html: string): string[] {
  const { elements } = readPage(html)
  const foreign = elements.flatMap((one) => [one.tagName, ...one.attrs.map(({ name }) => name)]).filter((name) => /pwn|["'<>{}]/.test(name))
  return [...foreign, ...elements.flatMap(activeIn)]
}

/** Addresses that the page itself names; what people wrote leads where they will. */
function linksIn(html: string): string[] {
  return readPage(html)
    .elements.filter((one) => !isWritten(one))
    .flatMap((one) => attributeOf(one, 'href') ?? attributeOf(one, 'src') ?? [])
}

describe.each(viewerNames.map((name) => [name]))('as %s', (viewer) => {
  test('every link of every page leads somewhere', async () => {
    const { pages, dead } = await crawl(viewer)
    expect(dead).toEqual([])
    expect(pages.size).toBeGreaterThan(80)
  })

  test('nothing that people wrote becomes a part of a page', async () => {
    const { pages } = await crawl(viewer)
    expect([...pages].flatMap(([address, { foreign }]) => foreign.map((one) => `${one} on ${address}`))).toEqual([])
    expect([...pages.values()].filter(({ isMarked }) => isMarked).length).toBeGreaterThan(20)
  })

  test('every page is whole', async () => {
    const { pages } = await crawl(viewer)
    expect([...pages].flatMap(([address, { faults }]) => faults.map((one) => `${one} on ${address}`))).toEqual([])
  })
})
