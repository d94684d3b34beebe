import { join } from 'node:path'
import { build } from '#app.ts'
import { openContextOf, prepareDirectory } from '#cli/open-store.ts'
import { makeConfig } from '#config.ts'
import { startBinary } from '../binary.ts'
import { api } from '../harness.ts'
import { fillIssues } from './fill-issues.ts'
import { startLoad } from './load.ts'
import { median, timed } from './measure.ts'
import { seconds } from './report.ts'
import type { ServerFindings } from './server-cases.ts'
import { atLeast, atMost } from './verdicts.ts'

/** How many issues one repository has, each with ten comments. */
const small = 100
const large = 100_000
const RUNS = 15
const MAX_FACTOR = 3
const CONNECTIONS = 16
const LOAD_SECONDS = 5
const MIN_PAGES_PER_SECOND = 3000

/** What people do with issues: a line, what it sends, and how many to send at each run. */
const cases: Record<string, { line: string; body?: (run: number) => object }> = {
  'a page of 50': { line: 'GET /repos/ada/engine/issues?limit=50' },
  'a page of 50, closed ones too': { line: 'GET /repos/ada/engine/issues?state=all&limit=50' },
  'by label': { line: 'GET /repos/ada/engine/issues?labels=label-3&limit=10' },
  'by label and milestone': { line: 'GET /repos/ada/engine/issues?labels=label-3&milestones=v1&limit=10' },
  'by author': { line: 'GET /repos/ada/engine/issues?created_by=bob&limit=10' },
  'by assignee': { line: 'GET /repos/ada/engine/issues?assigned_by=bob&limit=10' },
  'updated last': { line: 'GET /repos/ada/engine/issues?sort=recentupdate&limit=10' },
  'search: a rare word': { line: 'GET /repos/ada/engine/issues?q=needle42&limit=10' },
  'search: a frequent word': { line: 'GET /repos/ada/engine/issues?q=gear&limit=10' },
  'search everywhere': { line: 'GET /repos/issues/search?q=needle42&limit=10' },
  'list everywhere': { line: 'GET /repos/issues/search?limit=10' },
  'comments of the repository': { line: 'GET /repos/ada/engine/issues/comments?limit=10' },
  'one issue': { line: 'GET /repos/ada/engine/issues/50' },
  'its comments': { line: 'GET /repos/ada/engine/issues/50/comments' },
  'its timeline': { line: 'GET /repos/ada/engine/issues/50/timeline' },
  create: { line: 'POST /repos/ada/engine/issues', body: (run) => ({ title: `Made ${run}`, body: 'A gear is loose, see #1', labels: [1] }) },
  comment: { line: 'POST /repos/ada/engine/issues/50/comments', body: (run) => ({ body: `Number ${run} of many` }) },
  edit: { line: 'PATCH /repos/ada/engine/issues/51', body: (run) => ({ title: `Edited ${run}`, milestone: run % 2 }) },
  close: { line: 'PATCH /repos/ada/engine/issues/52', body: (run) => ({ state: run % 2 === 0 ? 'closed' : 'open' }) },
}

/** Full pages of the large store, which the executable answers over HTTP. */
const pages: Record<string, string> = {
  'a page of 50': '/repos/ada/engine/issues?limit=50',
  'a page of 50, closed ones too': '/repos/ada/engine/issues?state=all&limit=50',
  'everywhere, 50': '/repos/issues/search?limit=50',
}

const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`

/** Issues in a small store and in a large one. @param directory for both */
export async function measureIssues(directory: string): Promise<ServerFindings> {
  const [few, many] = [await timeCases(join(directory, 'few-issues'), small), await timeCases(join(directory, 'many-issues'), large)]
  const rows = Object.keys(cases).map((name) => ({
    name,
    slow: many.times.get(name) as number,
    factor: (many.times.get(name) as number) / (few.times.get(name) as number),
  }))
  const worst = rows.reduce((a, b) => (b.factor > a.factor ? b : a))
  const rates = await measurePages(join(directory, 'many-issues'), many.token)
  return {
    verdicts: [
      atLeast('issues, page of 50', rates.get('a page of 50, signed in') as number, MIN_PAGES_PER_SECOND, perSecond),
      atMost(`issues, ${large} against ${small}: ${worst.name}`, worst.factor, MAX_FACTOR, (factor) => `${factor.toFixed(1)} ×`),
    ],
    notes: [
      ...rows.map(({ name, slow, factor }): [string, string] => [`issues: ${name}`, `${seconds(slow)}, ${factor.toFixed(1)} × the small store's`]),
      ...[...rates].map(([name, rate]): [string, string] => [`issues over HTTP: ${name}`, perSecond(rate)]),
    ],
  }
}

interface Timed {
  times: Map<string, number>
  token: string
}

async function timeCases(data: string, count: number): Promise<Timed> {
  const config = makeConfig(data)
  prepareDirectory(config)
  await using context = openContextOf(config, true)
  const app = build(context)
  const token = await fillIssues(context, count)
  const times = new Map<string, number>()
  for (const [name, { line, body }] of Object.entries(cases)) {
    const taken: number[] = []
    for (let run = 0; run <= RUNS; run++) {
      const options = { as: token, body: body?.(run) }
      let status = 0
      const time = await timed(async () => void ({ status } = await api(app, line, options)))
      if (status >= 300) throw new Error(`Cannot measure ${name}: ${line} answers ${status}`)
      // The first one builds the room and prepares the statements.
      if (run > 0) taken.push(time)
    }
    times.set(name, median(taken))
  }
  return { times, token }
}

async function measurePages(data: string, token: string): Promise<Map<string, number>> {
  await using server = await startBinary({ data })
  const rates = new Map<string, number>()
  for (const [name, path] of Object.entries(pages)) {
    for (const [who, authorization] of [['signed in', `token ${token}`] as const, ['a visitor', undefined] as const]) {
      const order = { url: `${server.origin}/api/v1${path}`, authorization, connections: CONNECTIONS, seconds: LOAD_SECONDS }
      const { requests, failures, seconds: taken } = await startLoad(order).result
      if (failures > 0) throw new Error(`Cannot measure "${name}": ${failures} answers were no 200`)
      rates.set(`${name}, ${who}`, requests / taken)
    }
  }
  return rates
}
