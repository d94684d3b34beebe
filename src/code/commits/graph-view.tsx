import type { LaneRow } from '#git/history/lanes.ts'

/** Pixels from one column to the next; a row is as high as what is said of its commit. */
const WIDTH = 12
const HEIGHT = 24
const COLOURS = 6

const xOf = (column: number) => column * WIDTH + WIDTH / 2

/**
 * A row of the graph beside its commit. It stretches to the row's height, with lines and dots as thick as ever; who does not see it finds
 * each commit's parents on its own page. @param columns of the widest row
 */
export function LaneCell({ row, columns }: { row: LaneRow; columns: number }) {
  const width = Math.max(1, columns) * WIDTH
  const middle = HEIGHT / 2
  return (
    <div class="lanes">
      <svg aria-hidden="true" width={width} height="1" />
      <svg class="drawn" aria-hidden="true" width={width} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none">
        {row.through.map((column) => (
          <Line column={column} path={`M${xOf(column)} 0V${HEIGHT}`} />
        ))}
        {row.column >= 0 && row.into.map((column) => <Line column={column} path={curve(column, 0, row.column, middle)} />)}
        {row.column >= 0 && row.out.map((column) => <Line column={column} path={curve(row.column, middle, column, HEIGHT)} />)}
        {row.column >= 0 && <path class={`lane-${row.column % COLOURS} dot`} d={`M${xOf(row.column)} ${middle}h.01`} vector-effect="non-scaling-stroke" />}
      </svg>
    </div>
  )
}

function Line({ column, path }: { column: number; path: string }) {
  return <path class={`lane-${column % COLOURS}`} d={path} fill="none" vector-effect="non-scaling-stroke" />
}

function curve(from: number, top: number, to: number, bottom: number): string {
  if (from === to) return `M${xOf(from)} ${top}V${bottom}`
  const half = (top + bottom) / 2
  return `M${xOf(from)} ${top}C${xOf(from)} ${half} ${xOf(to)} ${half} ${xOf(to)} ${bottom}`
}

/** Of several rows. */
export function widthOf(rows: readonly LaneRow[]): number {
  return 1 + Math.max(0, ...rows.flatMap(({ column, into, through, out }) => [column, ...into, ...through, ...out]))
}
