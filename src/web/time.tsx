const steps = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

interface Props {
  /** Seconds since 1970. */
  at: number
  now?: number
  /** Show the day, too. */
  dated?: boolean
}

/** How long ago: `3 days ago`, and the date itself for who points at it and for programs. */
export function Time({ at, now = Date.now() / 1000, dated = false }: Props) {
  const date = new Date(Math.min(Math.max(at, 0), LAST_SECOND) * 1000)
  const iso = date.toISOString()
  return (
    <time datetime={iso} title={`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}>
      {dated ? `${iso.slice(0, 10)}, ${age(at - now)}` : age(at - now)}
    </time>
  )
}

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799

function age(seconds: number): string {
  for (const [unit, length] of steps) if (Math.abs(seconds) >= length) return inWords(Math.trunc(seconds / length), unit)
  return 'just now'
}

/** What `words` says, by unit and number: of each unit there are only as many as the next one has, and lists say the same again and again. */
const said = new Map<string, Map<number, string>>(steps.map(([unit]) => [unit, new Map()]))

function inWords(count: number, unit: (typeof steps)[number][0]): string {
  const known = said.get(unit)?.get(count)
  if (known !== undefined) return known
  const text = words.format(count, unit)
  said.get(unit)?.set(count, text)
  return text
}
