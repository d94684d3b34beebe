const nanoseconds: Record<string, number> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 }

/** Reads Go's duration text (`8h30m`, `1.5h`, `0`), in whole seconds; undefined when it is none. Source: Go's `time.ParseDuration`. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (text.length > 50 || !/^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  let sum = 0
  for (const [, amount, unit = ''] of text.matchAll(/([\d.]+)([a-zµ]+)/g)) sum += Number(amount) * (nanoseconds[unit] as number)
  return Number.isFinite(sum) ? Math.floor(sum / 1e9) : undefined
}

/** Whole seconds as Go prints a duration: `8h30m0s`, `10m0s`, `0s`. */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}
