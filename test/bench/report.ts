import type { Comparison, Cost, Verdict } from './measure.ts'

/** What a whole run found out. Seconds and bytes. */
export interface Findings {
  input: { path: string; objects: number; packBytes: number }
  comparisons: Comparison[]
  verdicts: Verdict[]
  /** Further figures, as texts. */
  notes: [name: string, value: string][]
}

type Row = string[]

const header: Row = ['', 'wall', '', '', 'server CPU', '', '', 'server memory', '', '']
const subheader: Row = ['', 'ours', 'git', 'ratio', 'ours', 'git', 'ratio', 'ours', 'git', 'ratio']

/** For people: aligned tables. */
export function formatFindings({ input, comparisons, verdicts, notes }: Findings): string {
  const measured = comparisons.map((one) => [one.name, ...costColumns(one)])
  const judged = verdicts.map(({ what, target, reached, isMet }) => [what, target, reached, isMet ? 'met' : 'NOT MET'])
  const parts = [`Input: ${input.path}, ${input.objects.toLocaleString('en')} objects, ${bytes(input.packBytes)}`]
  if (comparisons.length > 0) parts.push(table([header, subheader, ...measured]))
  if (notes.length > 0) parts.push(table(notes))
  if (judged.length > 0) parts.push(table([['DESIGN.md asks', 'target', 'here', ''], ...judged]))
  return parts.join('\n\n')
}

function costColumns({ ours, git }: Comparison): Row {
  const column = (key: keyof Cost, show: (value: number) => string) => [show(ours[key]), show(git[key]), ratio(ours[key], git[key])]
  return [...column('wall', seconds), ...column('cpu', seconds), ...column('peak', bytes)]
}

/** Columns as wide as their widest cell; the first is text, the others are figures. */
function table(rows: readonly Row[]): string {
  const widths = (rows[0] as Row).map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  const line = (row: Row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number))).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

export function seconds(value: number): string {
  if (Number.isNaN(value)) return '-'
  return value < 1 ? `${(value * 1000).toFixed(value < 0.1 ? 1 : 0)} ms` : `${value.toFixed(2)} s`
}

export function bytes(value: number): string {
  return Number.isNaN(value) ? '-' : `${(value / 2 ** 20).toFixed(0)} MiB`
}

export function ratio(ours: number, git: number): string {
  const value = ours / git
  return Number.isFinite(value) ? value.toFixed(value < 0.2 ? 3 : 2) : '-'
}
