import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { soak } from '../soak.ts'
import { addressOf } from './page-addresses.ts'
import { faultsOf } from './page-judge.ts'
import { makePageWorld, type PageRoute, type PageWorld, pageRoutes, REPO, type ViewerName } from './page-world.ts'
import { someOf } from './some-of.ts'

/** Every page, asked for at addresses and with headers that no link and no browser makes. */

setDefaultTimeout(120_000)

const long = 'w'.repeat(5000)
const elsewhere = 'evil.example'

/** What is put behind a path, before it, in the place of the slash before the repository, and into its query. */
const behind = [
  '%00',
  '/..',
  '/%2e%2e',
  '//',
  '/',
  '%2f',
  '%5c',
  '%ff',
  '%c0%ae%c0%ae',
  '%ed%a0%80',
  '.',
  ';x=1',
  '%0d%0aX-Pwn:%201',
  '%',
  '%zz',
  '%09',
  '%e2%80%ae',
]
const further = [
  long,
  '/a'.repeat(1000),
  '%2f..%2f..%2f..%2fetc%2fpasswd',
  '<x-pwn>',
  '%3Cx-pwn%3E',
  '%22%20onx=1',
  '&',
  '@',
  '*',
  '%F0%9F%98%80',
  '.git',
  '.git/config',
]
const before = ['/', '//', '/.', '/%2e', '/x/..', '/\\', '/%5c', '/%00', '/%2f', '/;', '/-', '/%2e%2e%2f', `//${elsewhere}`, `/\\${elsewhere}`]
const between = ['%2f', '%5c', '//', '/./', '/%2e/', '/x/../', '/x/%2e%2e/', '/..%2f', '/%00']
const queries = [
  'page=-1',
  'page=1e999',
  'page=1&page=2',
  'page[]=1',
  'limit=-1',
  '__proto__=1',
  'constructor[prototype]=x',
  'sort=__proto__',
  'type=constructor',
]
const more = [
  'tab=toString',
  'state=__proto__',
  'q=%00',
  'q=%ff',
  `q=${'%22'.repeat(500)}`,
  `labels=${'1,'.repeat(5000)}`,
  `${'a'.repeat(9000)}=1`,
  'cursor=%00',
  'after=x',
]
const others = [
  'since=x',
  'ref=..%2f..',
  'path=%2fetc',
  'fragment=__proto__',
  'line=1e999',
  'milestone=-1',
  'issues=1,__proto__',
  'x=%',
  'code=%00',
  `redirect_to=//${elsewhere}`,
]

function* addressesOf(page: string): Generator<string> {
  const [path = '', query = ''] = page.split(/(?=\?)/)
  for (const tail of [...behind, ...further]) yield path + tail + query
  for (const head of before) yield head + page
  for (const way of page.startsWith(REPO) ? between : []) yield page.replace('/engine', `${way}engine`)
  for (const pair of [...queries, ...more, ...others]) yield `${page}${query === '' ? '?' : '&'}${pair}`
}

/** With one of these each. */
const headers: Record<string, string>[] = [
  { 'X-Forwarded-Host': elsewhere, 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Prefix': `//${elsewhere}`, Forwarded: `host=${elsewhere}` },
  { 'X-Original-URL': '/-/admin', 'X-Rewrite-URL': '/-/admin', 'X-HTTP-Method-Override': 'DELETE', 'X-WEBAUTH-USER': 'root', Sudo: 'root' },
  { Origin: `https://${elsewhere}`, Referer: `https://${elsewhere}/`, 'Access-Control-Request-Method': 'POST' },
  { Origin: 'null', Referer: 'javascript:pwn()' },
  { Origin: 'http://[::1', Referer: `http://localhost//${elsewhere}` },
  { 'Accept-Language': '_'.repeat(30_000), 'User-Agent': '"><x-pwn>'.repeat(900) },
  { 'Accept-Language': `x-pwn"><x-pwn>;q=NaN`, 'Accept-Encoding': 'gzip;q=NaN,,;;'.repeat(300), Accept: `text/html,${'*/*;q=x,'.repeat(2000)}` },
  { Range: 'bytes=99999999999999999999-' },
  { Range: `bytes=${'0-0,'.repeat(2000)}0-0` },
  { Range: 'bytes=0-1', 'If-Range': '"x"' },
  { Range: 'lines=1-2', 'If-Modified-Since': 'never', 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { 'If-None-Match': 'W/"x",'.repeat(3000), 'If-Match': '"x"' },
  { 'If-None-Match': '"'.repeat(9999), 'If-Modified-Since': 'Fri, 31 Dec 99999 23:59:59 GMT' },
  { Authorization: 'Basic %%%' },
  { Authorization: `Basic ${btoa('root:\0')}`, 'X-Gitea-OTP': long },
  { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' },
  { Authorization: `Signature ${'keyId="x",'.repeat(1000)}` },
  { Authorization: 'token ' },
  { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script', 'Sec-Purpose': 'prefetch' },
  { 'Content-Type': 'application/json', 'Git-Protocol': 'version=2', Upgrade: 'websocket', Connection: 'Upgrade' },
]
const cookies = [
  'a=b; '.repeat(5000),
  '=;=;;;=;%;__proto__=x; constructor=y',
  `redirect_to=//${elsewhere}; lang="><x-pwn>`,
  '__proto__={"a":1}',
  'pocketforge_=../../../x',
]

let world: PageWorld
let pages: PageRoute[]
beforeAll(async () => {
  world = await makePageWorld()
  pages = (await pageRoutes(world.forge)).filter(({ method }) => method === 'GET')
})
afterAll(() => world[Symbol.asyncDispose]())

interface Answered {
  status: number
  text: string
  headers: Headers
}

/** Asks for exactly this address: `Request` would write it as it should be. */
async function ask(address: string, viewer: ViewerName, sent: Record<string, string> = {}): Promise<Answered> {
  const own = world.browsers[viewer].headers
  const request = new Request('http://localhost/', { headers: { Accept: 'text/html', ...own, ...sent } })
  Object.defineProperty(request, 'url', { value: `http://localhost${address}` })
  const answer = await world.forge.app.handle(request)
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

/** Where a client of a program is sent on its own word, which is the application's own that an administrator let in. */
const isClientsOwn = (location: string) => location.startsWith('https://example.org/?error=')

function harmOf({ status, text, headers: answered }: Answered): string[] {
  const harm = status >= 500 ? [`${status} ${text.slice(0, 100)}`] : []
  const location = answered.get('location')
  if (location !== null && !isClientsOwn(location) && URL.parse(location, 'http://localhost/x/y')?.host !== 'localhost') harm.push(`leads to ${location}`)
  if (answered.has('x-pwn')) harm.push('a header of theirs')
  if (answered.has('access-control-allow-origin')) harm.push('is given to other sites')
  if ([...answered.values()].some((value) => value.includes(elsewhere)) && location === null) harm.push('a header names another host')
  return text.includes('<x-pwn') ? [...harm, 'an element of theirs'] : harm
}

describe.each([['stranger'], ['owner']] as const)('as %s', (viewer) => {
  test('no address fails, leads elsewhere or shows what another one would not', async () => {
    const wrong: string[] = []
    let asked = 0
    for (const [i, page] of pages.entries()) {
      for (const address of someOf(addressesOf(addressOf(world, page, viewer)), 5, i)) {
        const answered = await ask(address, viewer)
        asked++
        wrong.push(...harmOf(answered).map((one) => `${address.slice(0, 150)}: ${one}`))
        const isSeen = viewer === 'stranger' && answered.status === 200 && address.includes('engine') && /guide\.md|Something/.test(answered.text)
        if (isSeen) wrong.push(`${address}: shows what is private`)
      }
    }
    expect([...new Set(wrong)]).toEqual([])
    expect(asked).toBeGreaterThan(soak(2000, 10_000))
  })
})

test('no header makes a page fail, name another host, or be somebody else’s', async () => {
  const wrong: string[] = []
  for (const [i, page] of pages.entries()) {
    const at = addressOf(world, page, 'visitor')
    const plain = await ask(at, 'visitor')
    for (const sent of someOf([...headers, ...cookies.map((Cookie) => ({ Cookie }))], 5, i)) {
      const answered = await ask(at, 'visitor', sent)
      wrong.push(...harmOf(answered).map((one) => `${at} with ${JSON.stringify(sent).slice(0, 80)}: ${one}`))
      if (answered.status === 200 && plain.status !== 200) wrong.push(`${at} with ${JSON.stringify(sent).slice(0, 80)}: is there`)
      if (answered.text.includes(elsewhere)) wrong.push(`${at} with ${JSON.stringify(sent).slice(0, 80)}: names another host`)
    }
  }
  expect([...new Set(wrong)]).toEqual([])
})

test('what is no page is still one that can be read', async () => {
  const answers = await Promise.all([...addressesOf(`${REPO}/issues/1`)].map((address) => ask(address, 'owner')))
  const told = answers.filter((one) => one.headers.get('content-type')?.startsWith('text/html') && one.text !== '')
  expect([...new Set(told.flatMap(({ text }) => faultsOf(text)))]).toEqual([])
  expect(told.length).toBeGreaterThan(50)
})
