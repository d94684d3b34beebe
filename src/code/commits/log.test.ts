import { afterAll, beforeAll, expect } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

let forge: TestForge
let visitor: TestBrowser
let tip = ''

beforeAll(async () => {
  forge = testForge()
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  fillRepo(forge, 1, (directory) => {
    const commit = (message: string) => gitIn(directory, 'commit', '-q', '--allow-empty', '-m', message)
    for (let i = 0; i < 40; i++) commit(`Change ${i}`)
    gitIn(directory, 'checkout', '-qb', 'topic')
    commit('On the side')
    gitIn(directory, 'checkout', '-q', 'main')
    commit('On main')
    gitIn(directory, 'merge', '-q', '--no-ff', '-m', 'Merge the side', 'topic')
    gitIn(directory, 'tag', '-a', '-m', 'one', 'v1')
    tip = gitIn(directory, 'rev-parse', 'HEAD').trim()
  })
  visitor = new TestBrowser(forge)
})
afterAll(() => forge[Symbol.asyncDispose]())

test('the log draws where histories part and meet', async () => {
  const { text } = await visitor.get('/ada/engine/commits/branch/main')
  expect(text).toContain('43 commits')
  expect(text).toContain('class="lane-1"')
  expect(text).toContain('<span class="mark">merge</span>')
  expect(text).not.toMatch(/\sstyle=/)
})

test('its pages go on from the commit they began at, whatever is pushed meanwhile', async () => {
  const { text } = await visitor.get('/ada/engine/commits/branch/main')
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(text) ?? []
  expect(next).toStartWith(`/ada/engine/commits/branch/main?tip=${tip}&amp;after=`)
  fillRepo(forge, 1, (directory) => {
    gitIn(directory, 'pull', '-q', forge.context.git.pathOf(1), 'main')
    for (let i = 0; i < 5; i++) gitIn(directory, 'commit', '-q', '--allow-empty', '-m', `Later ${i}`)
  })
  const second = (await visitor.get(next.replaceAll('&amp;', '&'))).text
  const subjects = (page: string) => [...page.matchAll(/\/commit\/[0-9a-f]{40}">([^<]+)</g)].map(([, subject]) => subject)
  expect(new Set([...subjects(text), ...subjects(second)]).size).toBe(43)
  expect(second).not.toContain('rel="next"')
  expect(/rel="first" href="([^"]+)"/.exec(second)?.[1]).toBe('/ada/engine/commits/branch/main')
  for (const query of ['tip=nothing', 'after=nothing', `after=${'a'.repeat(40)}`, `after=${'a'.repeat(40)}&front=1.`]) {
    expect((await visitor.get(`/ada/engine/commits/branch/main?${query}`)).status).toBe(404)
  }
  const counted = (await visitor.get(`/ada/engine/commits/branch/main?page=2&tip=${tip}`)).text
  expect(subjects(counted)).toEqual(subjects(second))
})

test('a log is gone back through page by page, by the same commits', async () => {
  const place = `/ada/engine/commits/commit/${tip}`
  const go = async (from: string, rel: string) => {
    const address = new RegExp(`rel="${rel}" href="([^"]+)"`).exec(from)?.[1]?.replaceAll('&amp;', '&')
    return address === undefined ? undefined : (await visitor.get(address)).text
  }
  const list = (page: string | undefined) => /<ol class="list log">.*?<\/ol>/s.exec(page ?? '')?.[0].replace(/<time.*?<\/time>/g, '')
  const first = (await visitor.get(place)).text
  const second = (await go(first, 'next')) as string
  expect([first, second].map((page) => page.includes('rel="prev"'))).toEqual([false, true])
  expect([list(await go(second, 'prev')), await go((await go(second, 'prev')) as string, 'prev')]).toEqual([list(first), undefined])
  expect((await visitor.get(`${place}?after=${tip}&trail=nonsense*x`)).status).toBe(200)
})

test('the graph shows all branches with their names, or those that are asked for', async () => {
  const { text, headers } = await visitor.get('/ada/engine/graph')
  for (const name of ['main', 'topic', 'v1']) expect(text).toContain(`<span class="mark">${name}</span>`)
  expect(headers.get('x-robots-tag')).toBe('noindex')
  const some = (await visitor.get('/ada/engine/graph?branch=topic')).text
  expect([some.includes('On the side'), some.includes('On main')]).toEqual([true, false])
  expect((await visitor.get('/ada/engine/graph?branch=none')).text).toContain('No commits yet')
})

test('a search and a graph go on behind their pages as the log does', async () => {
  const pagesFrom = async (address: string) => {
    const seen: (string | undefined)[] = []
    for (let next = address; next !== ''; ) {
      const { text } = await visitor.get(next.replaceAll('&amp;', '&'))
      seen.push(...[...text.matchAll(/\/commit\/([0-9a-f]{40})" data-copy/g)].map(([, oid]) => oid))
      next = /rel="next" href="([^"]+)"/.exec(text)?.[1] ?? ''
    }
    return seen
  }
  const found = await pagesFrom('/ada/engine/commits/branch/main?saying=change')
  expect([found.length, new Set(found).size]).toEqual([40, 40])
  const drawn = await pagesFrom('/ada/engine/graph')
  expect([drawn.length, new Set(drawn).size]).toEqual([48, 48])
})

test('the log of a path is its own, and of one that nothing touched is not there', async () => {
  expect((await visitor.get('/ada/engine/commits/branch/main/absent.txt')).status).toBe(404)
})

test('commits are found by what they say, by whom and when', async () => {
  const found = async (query: string) => {
    const { text } = await visitor.get(`/ada/engine/commits/branch/main?${query}`)
    return [...text.matchAll(/\/commit\/[0-9a-f]{40}">([^<]+)</g)]
      .map(([, subject]) => subject)
      .filter((one) => /[a-z]/.test(one ?? '') && !/^[0-9a-f]{10}$/.test(one ?? ''))
  }
  expect(await found('saying=change+3')).toEqual([
    'Change 39',
    'Change 38',
    'Change 37',
    'Change 36',
    'Change 35',
    'Change 34',
    'Change 33',
    'Change 32',
    'Change 31',
    'Change 30',
    'Change 3',
  ])
  expect(await found('by=nobody')).toEqual([])
  expect(await found('saying=side&until=1999-01-01')).toEqual([])
  expect(await found('saying=side&since=1999-01-01')).toEqual(['Merge the side', 'On the side'])
  expect((await visitor.get('/ada/engine/commits/branch/main?since=nonsense&by=%3Cscript%3E')).text).toContain('value="&lt;script&gt;"')
})

test('commits stand under their days, each with a way to the files as they were', async () => {
  const { text } = await visitor.get('/ada/engine/commits/branch/main')
  expect(text).toMatch(/<h3>\d{4}-\d{2}-\d{2}<\/h3>/)
  expect(text).toMatch(/href="\/ada\/engine\/src\/commit\/[0-9a-f]{40}"/)
})
