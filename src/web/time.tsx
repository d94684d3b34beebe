import { ageInWords } from './age.ts'

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
      {dated ? `${iso.slice(0, 10)}, ${ageInWords(at - now)}` : ageInWords(at - now)}
    </time>
  )
}

/** Of the year 9999. */
const LAST_SECOND = 253_402_300_799
