import { gzipSync } from 'node:zlib'
import { ADMIN_PASSWORD, startBinary } from '../binary.ts'
import { type LoadResult, startLoad } from './load.ts'
import { median } from './measure.ts'
import { runSecondsOf } from './process-usage.ts'
import { seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { atMost } from './verdicts.ts'

/** A page as a visitor asks for it, and what it may cost: milliseconds of the processor alone, and by the clock at the worst of a hundred under load, and compressed bytes. */
interface Budget {
  path: string
  alone: number
  p99: number
  size?: number
}

const budgets: Record<string, Budget> = {
  'sign-in': { path: '/user/login', alone: 0.5, p99: 5 },
  'repository home of 100 entries': { path: '/admin/engine', alone: 2, p99: 15, size: 20_000 },
  'issue list of 50': { path: '/admin/engine/issues', alone: 1.5, p99: 10, size: 10_000 },
  'file of 2,000 lines': { path: '/admin/engine/src/branch/main/long.ts', alone: 5, p99: 25, size: 60_000 },
  'diff of 3,000 lines': { path: '/admin/engine/compare/main...topic', alone: 15, p99: 60, size: 120_000 },
}
const MAX_CSS = 12_000
const MAX_UNCHANGED_MS = 0.2
/** The first ones are for the engine to compile what they need. */
const WARMING = 150
const RUNS = 50
const CONNECTIONS = 50
const LOAD_SECONDS = 3

/** As browsers ask, without encryption. */
const asBrowser = { Accept: 'text/html', 'Accept-Encoding': 'gzip, deflate' }

/**
 * Pages of the executable against their budgets, as visitors ask for them over HTTP: what the server's processor time is for each made anew, after something
 * was written somewhere, and asked for again; many at once while nothing is written, and while something is every second.
 */
export async function measurePageBudgets(): Promise<ServerFindings> {
  await using server = await startBinary()
  const forge = new Forge(server.origin)
  await fill(forge)
  const findings: ServerFindings = { verdicts: [], notes: [] }
  for (const [name, budget] of Object.entries(budgets)) {
    const { verdicts, notes } = await measurePage(forge, server.pid, `page, ${name}`, budget)
    findings.verdicts.push(...verdicts)
    findings.notes.push(...notes)
  }
  findings.verdicts.push(await measureUnchanged(`${server.origin}/admin/engine`, server.pid), await measureStyle(server.origin))
  return findings
}

async function measurePage(forge: Forge, pid: number, name: string, { path, alone, p99, size }: Budget): Promise<ServerFindings> {
  const url = forge.origin + path
  const html = await (await ask(url)).text()
  const packed = gzipSync(html).length
  const made = median(
    await cpuTimes(
      pid,
      () => ask(url, asBrowser),
      () => forge.write(),
    ),
  )
  const again = median(await cpuTimes(pid, () => ask(url, asBrowser)))
  const quiet = await measureLoad(url)
  const writing = setInterval(() => void forge.write(), 1000)
  const busy = await measureLoad(url)
  clearInterval(writing)
  const verdicts = [
    atMost(`${name}, made anew`, made, alone / 1000, seconds),
    atMost(`${name}, asked again`, again, alone / 1000, seconds),
    atMost(`${name}, p99`, worstOf(quiet), p99 / 1000, seconds),
    atMost(`${name}, p99 beside writes`, worstOf(busy), p99 / 1000, seconds),
  ]
  if (size !== undefined) verdicts.push(atMost(`${name}, compressed`, packed, size, kilobytes))
  const told = [quiet, busy].map(({ requests, seconds, failures }) => `${Math.round(requests / seconds)}/s, ${failures} refused`)
  return { verdicts, notes: [[name, `${kilobytes(html.length)}, ${kilobytes(packed)} compressed, ${told.join('; beside writes ')}`]] }
}

function measureLoad(url: string): Promise<LoadResult> {
  return startLoad({ url, connections: CONNECTIONS, seconds: LOAD_SECONDS, headers: asBrowser }).result
}

/** Of the fastest 99 in 100, in seconds. Whoever is told to come again later was not served in time. */
function worstOf({ failures, requests, p99 }: LoadResult): number {
  return failures > requests / 100 ? Number.POSITIVE_INFINITY : p99 / 1000
}

/** @param count of bytes */
function kilobytes(count: number): string {
  return `${(count / 1000).toFixed(1)} kB`
}

async function measureUnchanged(url: string, pid: number) {
  const tag = (await ask(url)).headers.get('etag') ?? ''
  const found = median(await cpuTimes(pid, () => ask(url, { 'If-None-Match': tag })))
  if ((await ask(url, { 'If-None-Match': tag })).status !== 304) throw new Error('Cannot measure a page that is unchanged: it is sent again')
  return atMost('page, unchanged', found, MAX_UNCHANGED_MS / 1000, seconds)
}

async function measureStyle(origin: string) {
  const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(await (await ask(origin)).text()) ?? []
  return atMost('style sheet, compressed', gzipSync(await (await ask(origin + path)).bytes()).length, MAX_CSS, kilobytes)
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers: { Accept: 'text/html', ...headers } })
}

/** What the server's processor time is for a request, in seconds each. @param before each, and not counted */
async function cpuTimes(pid: number, request: () => Promise<Response>, before: () => Promise<void> = async () => {}): Promise<number[]> {
  const taken: number[] = []
  for (let run = 0; run < WARMING + RUNS; run++) {
    await before()
    const spent = runSecondsOf(pid)
    await (await request()).arrayBuffer()
    if (run >= WARMING) taken.push(runSecondsOf(pid) - spent)
  }
  return taken
}

/** The server as its administrator fills it. */
class Forge {
  readonly origin: string
  #written = 0

  constructor(origin: string) {
    this.origin = origin
  }

  async post(path: string, body: unknown): Promise<void> {
    const answer = await fetch(`${this.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (answer.status >= 300) throw new Error(`Cannot fill the forge: ${path} answers ${answer.status}`)
  }

  /** Something that shows on none of the pages. */
  async write(): Promise<void> {
    await this.post('/repos/admin/other/labels', { name: `label ${++this.#written}`, color: '#aabbcc' })
  }
}

async function fill(forge: Forge): Promise<void> {
  const at = '/repos/admin/engine'
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, i) => `export const ${word}${i} = compute(${i}, 'text') // ${word}\n`).join('')
  const file = (path: string, text: string) => ({ operation: 'create', path, content: btoa(text) })
  const post = forge.post.bind(forge)
  await post('/user/repos', { name: 'other' })
  await post('/user/repos', { name: 'engine', auto_init: true, readme: 'Default' })
  const files = Array.from({ length: 98 }, (_, i) => file(`file-${i}.ts`, lines(3, 'a')))
  await post(`${at}/contents`, { files: [...files, file('long.ts', lines(2000, 'long'))], message: 'Add files', branch: 'main' })
  await post(`${at}/contents`, { files: [file('new.ts', lines(3000, 'fresh'))], message: 'Add new', branch: 'main', new_branch: 'topic' })
  for (let i = 0; i < 60; i++) await post(`${at}/issues`, { title: `Something is not as it should be, number ${i}`, body: 'It breaks.' })
}
