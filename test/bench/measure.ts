/** What one run of a case cost. Seconds and bytes; NaN where the machine does not tell. */
export interface Cost {
  /** As the client waits. */
  wall: number
  /** Of the server alone. */
  cpu: number
  /** The most memory the server held. */
  peak: number
}

export type SideName = 'pocketforge' | 'git'

export interface Comparison {
  name: string
  runs: number
  ours: Cost
  git: Cost
}

/** A number that DESIGN.md names, and where we are. */
export interface Verdict {
  what: string
  target: string
  reached: string
  isMet: boolean
}

/** The middle of the runs, each column by itself. */
export function medianCost(costs: readonly Cost[]): Cost {
  const middle = (key: keyof Cost) => median(costs.map((cost) => cost[key]))
  return { wall: middle('wall'), cpu: middle('cpu'), peak: middle('peak') }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

/** The value that `share` of the sorted values do not exceed. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted.length === 0 ? Number.NaN : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number)
}

/** Seconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
