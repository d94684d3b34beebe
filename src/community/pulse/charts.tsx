import { startOfWeek, type WeekTally } from '#git/history/history-stats.ts'
import { type Child, numberText, Scrolled } from '#web/index.ts'

/** Bars of a chart; longer times are added up, so that there are no more. */
const MAX_BARS = 104
/** A chart has room for so many, so that few bars are no walls. */
const LEAST_BARS = 26
const STEP = 10
const HEIGHT = 80

/** Some weeks, added up. */
export interface Span {
  /** The first and the last day, as `2026-01-31`. */
  from: string
  to: string
  commits: number
  additions: number
  deletions: number
}

/** The weeks from the first to the last that have commits, each or several together. */
export function spansOf(weeks: readonly WeekTally[]): Span[] {
  const [first, last] = [weeks[0]?.week ?? 0, weeks.at(-1)?.week ?? -1]
  const length = Math.max(1, Math.ceil((last - first + 1) / MAX_BARS))
  const spans = Array.from({ length: Math.ceil((last - first + 1) / length) }, (_, i): Span => {
    const start = first + i * length
    return { from: dayOf(startOfWeek(start)), to: dayOf(startOfWeek(start + length) - 1), commits: 0, additions: 0, deletions: 0 }
  })
  for (const { week, commits, additions, deletions } of weeks) {
    const span = spans[Math.floor((week - first) / length)]
    if (!span) continue
    span.commits += commits
    span.additions += additions
    span.deletions += deletions
  }
  return spans
}

function dayOf(seconds: number): string {
  return new Date(Math.max(0, seconds) * 1000).toISOString().slice(0, 10)
}

interface ChartProps {
  spans: readonly Span[]
  /** What is told. */
  title: string
}

/** Commits as bars; the table below has the same in numbers. */
export function CommitsChart({ spans, title }: ChartProps) {
  const most = Math.max(1, ...spans.map(({ commits }) => commits))
  return (
    <Chart spans={spans} title={title}>
      {spans.map(({ commits }, i) => {
        const height = Math.ceil((commits / most) * HEIGHT)
        return <rect class="bar-ahead" x={i * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height} />
      })}
    </Chart>
  )
}

/** Lines that came above the middle, and lines that went below it. */
export function LinesChart({ spans, title }: ChartProps) {
  const most = Math.max(1, ...spans.flatMap(({ additions, deletions }) => [additions, deletions]))
  const middle = HEIGHT / 2
  const heightOf = (count: number) => Math.ceil((count / most) * middle)
  return (
    <Chart spans={spans} title={title}>
      {spans.map(({ additions, deletions }, i) => [
        <rect class="bar-ahead" x={i * STEP + 1} y={middle - heightOf(additions)} width={STEP - 2} height={heightOf(additions)} />,
        <rect class="bar-behind" x={i * STEP + 1} y={middle} width={STEP - 2} height={heightOf(deletions)} />,
      ])}
    </Chart>
  )
}

function Chart({ spans, title, children }: ChartProps & { children: Child }) {
  const width = Math.max(LEAST_BARS, spans.length) * STEP
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} width="100%" height={HEIGHT} preserveAspectRatio="none" aria-hidden="true">
        {children}
      </svg>
      <p class="faint ends">
        <span>{spans[0]?.from}</span>
        {spans.length >= LEAST_BARS && <span>{spans.at(-1)?.to}</span>}
      </p>
      <details>
        <summary>Show as table</summary>
        <Scrolled label={`${title}, as a table`}>
          <table>
            <thead>
              <tr>
                {['From', 'To', 'Commits', 'Lines added', 'Lines deleted'].map((name) => (
                  <th scope="col">{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {spans.toReversed().map(({ from, to, commits, additions, deletions }) => (
                <tr>
                  <td>{from}</td>
                  <td>{to}</td>
                  <td>{numberText(commits)}</td>
                  <td>{numberText(additions)}</td>
                  <td>{numberText(deletions)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      </details>
    </figure>
  )
}
