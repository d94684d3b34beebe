import { countText, type Html, Scrolled } from '#web/index.ts'

interface Contribution {
  /** Seconds since 1970. */
  timestamp: number
  contributions: number
}

const DAY = 86_400
const WEEKS = 53
/** Pixels from one day to the next. */
const STEP = 13
const SIZE = 11
const TOP = 16
const LEFT = 28
/** How full a square is: what it takes at least, of the busiest day. */
const SHADES = [0.01, 0.25, 0.5, 0.75] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * A year of days as squares, a week a column, Sunday on top; and by month as a table, for who does not see them. Days are UTC's.
 * @param now seconds since 1970
 */
export function HeatmapChart({ contributions, now }: { contributions: readonly Contribution[]; now: number }) {
  const byDay = sumBy(contributions, (at) => Math.floor(at / DAY))
  const today = Math.floor(now / DAY)
  // 1970-01-01 was a Thursday.
  const first = today - ((today + 4) % 7) - (WEEKS - 1) * 7
  const days = Array.from({ length: today - first + 1 }, (_, i) => first + i)
  const total = days.reduce((sum, day) => sum + (byDay.get(day) ?? 0), 0)
  const most = Math.max(1, ...days.map((day) => byDay.get(day) ?? 0))
  return (
    <figure class="heatmap">
      <figcaption>{`${countText(total, 'contribution')} in the last year`}</figcaption>
      <Scrolled label="Contribution calendar">
        <svg width={LEFT + WEEKS * STEP} height={TOP + 7 * STEP} viewBox={`0 0 ${LEFT + WEEKS * STEP} ${TOP + 7 * STEP}`} aria-hidden="true">
          <MonthNames first={first} />
          {['Mon', 'Wed', 'Fri'].map((name, i) => (
            <text x="0" y={TOP + (1 + 2 * i) * STEP + SIZE - 2} font-size="9" fill="currentColor">
              {name}
            </text>
          ))}
          {days.map((day) => (
            <Square day={day} first={first} count={byDay.get(day) ?? 0} most={most} />
          ))}
        </svg>
      </Scrolled>
      <MonthTable days={days} byDay={byDay} />
    </figure>
  )
}

function sumBy(contributions: readonly Contribution[], keyOf: (at: number) => number): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { timestamp, contributions: count } of contributions) sums.set(keyOf(timestamp), (sums.get(keyOf(timestamp)) ?? 0) + count)
  return sums
}

function Square({ day, first, count, most }: { day: number; first: number; count: number; most: number }): Html {
  const shade = SHADES.filter((least) => count / most >= least).length
  return (
    <rect x={LEFT + Math.floor((day - first) / 7) * STEP} y={TOP + ((day - first) % 7) * STEP} class={`heat-${shade}`}>
      <title>{`${countText(count, 'contribution')} on ${isoDay(day)}`}</title>
    </rect>
  )
}

/** A name above the week in which a month begins. */
function MonthNames({ first }: { first: number }) {
  const monthOf = (week: number) => new Date((first + week * 7) * DAY * 1000).getUTCMonth()
  const weeks = Array.from({ length: WEEKS }, (_, week) => week).filter((week) => week > 0 && week < WEEKS - 1 && monthOf(week) !== monthOf(week - 1))
  return (
    <g font-size="9" fill="currentColor">
      {weeks.map((week) => (
        <text x={LEFT + week * STEP} y="10">
          {MONTHS[monthOf(week)]}
        </text>
      ))}
    </g>
  )
}

function MonthTable({ days, byDay }: { days: readonly number[]; byDay: ReadonlyMap<number, number> }) {
  const months = Map.groupBy(days, (day) => isoDay(day).slice(0, 7))
  return (
    <details>
      <summary>Contributions by month</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Month</th>
            <th scope="col">Contributions</th>
          </tr>
        </thead>
        <tbody>
          {[...months].map(([month, its]) => (
            <tr>
              <th scope="row">{month}</th>
              <td class="number">{its.reduce((sum, day) => sum + (byDay.get(day) ?? 0), 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function isoDay(day: number): string {
  return new Date(day * DAY * 1000).toISOString().slice(0, 10)
}
