import type { Output } from './environment.ts'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Colour = keyof typeof codes
export type Paint = (colour: Colour, text: string) => string

/** Colours for a terminal, plain text for anything else. */
export function painter(out: Output): Paint {
  return out.isPretty ? (colour, text) => `\x1b[${codes[colour]}m${text}\x1b[0m` : (_, text) => text
}

/** Rows in columns as wide as their widest cell; the first row is the heading. Cells are plain, `paintCell` colours what is printed. */
export function table(rows: readonly (readonly string[])[], paintCell: (text: string, row: number, column: number) => string = (text) => text): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? ''))))
  const cell = (text: string, row: number, column: number) => {
    const padding = column === widths.length - 1 ? '' : ' '.repeat((widths[column] as number) - Bun.stringWidth(text))
    return paintCell(text, row, column) + padding
  }
  return rows.map((row, index) => row.map((text, column) => cell(text, index, column)).join('  ')).join('\n')
}

/** Text from outside with control and direction characters made visible, so that it cannot steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
