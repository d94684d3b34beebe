import type { Comparison, Cost, Verdict } from './measure.ts'
import { bytes, ratio } from './report.ts'

/** DESIGN.md, "What it must be, in figures". */

interface RatioTarget {
  case: string
  measure: keyof Cost
  most: number
}

const ratioTargets: RatioTarget[] = [
  { case: 'full clone', measure: 'cpu', most: 0.05 },
  { case: 'first clone after a push', measure: 'cpu', most: 0.05 },
  { case: 'partial clone', measure: 'cpu', most: 0.15 },
  { case: 'large push', measure: 'wall', most: 0.5 },
  { case: 'incremental fetch', measure: 'wall', most: 0.5 },
  { case: 'incremental fetch', measure: 'cpu', most: 0.5 },
  { case: 'small push', measure: 'cpu', most: 0.3 },
  // With git's own client, which takes longer than either server needs to, no server could halve it.
  { case: 'small push by hand', measure: 'wall', most: 0.3 },
  { case: 'small push by hand', measure: 'cpu', most: 0.3 },
]

const words: Record<keyof Cost, string> = { wall: 'wall', cpu: 'server CPU', peak: 'memory' }
const MAX_PUSH_BYTES = 400 * 2 ** 20

/** How the comparisons stand against the targets that are ratios to stock git. */
export function judgeComparisons(comparisons: readonly Comparison[]): Verdict[] {
  const found = new Map(comparisons.map((one) => [one.name, one]))
  const verdicts = ratioTargets.flatMap(({ case: name, measure, most }): Verdict[] => {
    const one = found.get(name)
    if (!one || Number.isNaN(one.ours[measure])) return []
    const reached = one.ours[measure] / one.git[measure]
    return [{ what: `${name}, ${words[measure]}`, target: `<= ${most} of git`, reached: ratio(one.ours[measure], one.git[measure]), isMet: reached <= most }]
  })
  const push = found.get('large push')
  if (push && !Number.isNaN(push.ours.peak)) verdicts.push(atMost('large push, server memory', push.ours.peak, MAX_PUSH_BYTES, bytes))
  return verdicts
}

export function atMost(what: string, value: number, most: number, show: (value: number) => string): Verdict {
  return { what, target: `<= ${show(most)}`, reached: show(value), isMet: value <= most }
}

export function atLeast(what: string, value: number, least: number, show: (value: number) => string): Verdict {
  return { what, target: `>= ${show(least)}`, reached: show(value), isMet: value >= least }
}
