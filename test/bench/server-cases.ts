import { startBare } from './bare-side.ts'
import { startLoad } from './load.ts'
import type { Verdict } from './measure.ts'
import { ratio, seconds } from './report.ts'
import type { OurSide } from './sides.ts'
import { atMost } from './verdicts.ts'

/** Figures of our server alone: there is nothing in git to compare them with. */
export interface ServerFindings {
  verdicts: Verdict[]
  notes: [name: string, value: string][]
}

const CONNECTIONS = 32
const LOAD_SECONDS = 5
const MAX_P99_SECONDS = 0.01
/** What share of a bare route's answers ours is to give. */
const LEAST_SHARE = 0.6

const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`

/** How many of each record the server answers in a second, on connections that stay open, and how many of one a bare route of Elysia's. */
export async function measureReads(side: OurSide, repository: string, directory: string): Promise<ServerFindings> {
  const { origin } = side.running
  await using bare = await startBare(directory, await (await fetch(`${origin}/api/v1/users/bench`)).json())
  const reads: [name: string, url: string, authorization?: string][] = [
    ['a bare route with the user record', `${bare.origin}/api/v1/record`],
    ['user record', `${origin}/api/v1/users/bench`],
    ['user record, signed in', `${origin}/api/v1/users/bench`, side.authorization],
    ['repository record, signed in', `${origin}/api/v1/repos/bench/${repository}`, side.authorization],
  ]
  const notes: ServerFindings['notes'] = []
  const rates: number[] = []
  for (const [name, url, authorization] of reads) {
    const { requests, failures, seconds: taken, p99 } = await startLoad({ url, authorization, connections: CONNECTIONS, seconds: LOAD_SECONDS }).result
    if (failures > 0) throw new Error(`Cannot measure "${name}": ${failures} answers were no 200`)
    rates.push(requests / taken)
    notes.push([name, `${perSecond(requests / taken)}, p99 ${seconds(p99 / 1000)}`])
  }
  const [theirs, ours] = rates as [number, number]
  const verdict = {
    what: 'API reads, user record',
    target: `>= ${LEAST_SHARE} of a bare route`,
    reached: ratio(ours, theirs),
    isMet: ours / theirs >= LEAST_SHARE,
  }
  return { verdicts: [verdict], notes }
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
