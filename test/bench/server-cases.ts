import { startBinary } from '../binary.ts'
import { startLoad } from './load.ts'
import { median, type Verdict } from './measure.ts'
import { residentBytesOf } from './process-usage.ts'
import { bytes, seconds } from './report.ts'
import type { OurSide } from './sides.ts'
import { atLeast, atMost } from './verdicts.ts'

/** Figures of our server alone: there is nothing in git to compare them with. */
export interface ServerFindings {
  verdicts: Verdict[]
  notes: [name: string, value: string][]
}

const CONNECTIONS = 32
const LOAD_SECONDS = 5
const IDLE_MS = 3000
const MAX_IDLE_BYTES = 90 * 2 ** 20
const MAX_START_SECONDS = 0.1
const MAX_P99_SECONDS = 0.025

const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`

/** How many of each record the server answers in a second, on connections that stay open. */
export async function measureReads(side: OurSide, repository: string): Promise<ServerFindings> {
  const reads: [name: string, path: string, authorization?: string][] = [
    ['user record', '/users/bench'],
    ['user record, signed in', '/users/bench', side.authorization],
    ['repository record, signed in', `/repos/bench/${repository}`, side.authorization],
  ]
  const notes: ServerFindings['notes'] = []
  const rates: number[] = []
  for (const [name, path, authorization] of reads) {
    const order = { url: `${side.running.origin}/api/v1${path}`, authorization, connections: CONNECTIONS, seconds: LOAD_SECONDS }
    const { requests, failures, seconds: taken, p99 } = await startLoad(order).result
    if (failures > 0) throw new Error(`Cannot measure "${name}": ${failures} answers were no 200`)
    rates.push(requests / taken)
    notes.push([name, `${perSecond(requests / taken)}, p99 ${seconds(p99 / 1000)}`])
  }
  return { verdicts: [atLeast('API reads, user record', rates[0], 50_000, perSecond)], notes }
}

/** What API clients notice of a large push. */
export async function measureReadsDuringPush(side: OurSide, push: () => Promise<unknown>): Promise<ServerFindings> {
  const load = startLoad({ url: `${side.running.origin}/api/v1/users/bench`, authorization: side.authorization, connections: 4, seconds: 3600, pauseMs: 5 })
  await push().finally(() => load.stop())
  const { requests, p50, p99, max } = await load.result
  return {
    verdicts: [atMost('API p99 during a large push', p99 / 1000, MAX_P99_SECONDS, seconds)],
    notes: [['API during a large push', `${requests} answers, median ${seconds(p50 / 1000)}, p99 ${seconds(p99 / 1000)}, longest ${seconds(max / 1000)}`]],
  }
}

/** From starting the executable on an existing store to its first answer, and what it holds when nobody asks. */
export async function measureStart(data: string, runs: number): Promise<ServerFindings> {
  const starts: number[] = []
  const idle: number[] = []
  for (let run = 0; run < runs; run++) {
    const began = performance.now()
    await using server = await startBinary({ data })
    const response = await fetch(`${server.origin}/api/v1/version`)
    if (!response.ok) throw new Error(`Cannot measure the start: the first answer was ${response.status}`)
    starts.push((performance.now() - began) / 1000)
    await Bun.sleep(IDLE_MS)
    idle.push(residentBytesOf(server.pid))
  }
  return {
    verdicts: [atMost('start to first answer', median(starts), MAX_START_SECONDS, seconds), atMost('idle memory', median(idle), MAX_IDLE_BYTES, bytes)],
    notes: [],
  }
}
