const words: ReadonlyMap<string, number> = new Map([
  ['@hourly', 3600],
  ['@daily', 86_400],
  ['@midnight', 86_400],
  ['@weekly', 604_800],
])
const units = { h: 3600, m: 60, s: 1 } as const

/** Timers cannot wait longer: 2^31 milliseconds, and what is beyond fires at once. */
export const LONGEST_SECONDS = 2_147_483

/**
 * How often something repeats, in seconds: `@every 1h30m`, `@hourly`, `@daily` or `@weekly`, as cron libraries of Go write it.
 * @throws Error on anything else
 */
export function parseSchedule(text: string): number {
  const parts = /^@every\s+((?:\d{1,6}[hms])+)$/.exec(text)?.[1]?.match(/\d+[hms]/g) ?? []
  const every = parts.reduce((sum, part) => sum + Number.parseInt(part, 10) * units[part.slice(-1) as keyof typeof units], 0)
  const seconds = words.get(text) ?? every
  if (seconds === 0) throw new Error('expected @hourly, @daily, @weekly, or @every with hours, minutes and seconds, such as @every 1h30m')
  if (seconds > LONGEST_SECONDS) throw new Error(`expected at most ${LONGEST_SECONDS} seconds (24 days)`)
  return seconds
}
