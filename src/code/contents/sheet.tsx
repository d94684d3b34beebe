import { oddCharacters } from '#code/commits/index.ts'
import { escapeHtml, raw } from '#web/index.ts'
import { type FileTable, readTable } from './read-table.ts'

const sheetFile = /\.(csv|tsv)$/i
const limits = { rows: 1000, columns: 50, cells: 20_000, cellLength: 500 }

/** Whether a file can be shown as a table. */
export function isSheet(path: string): boolean {
  return sheetFile.test(path)
}

export function readSheet(path: string, text: string): FileTable {
  return /\.tsv$/i.test(path) ? readTable(text, limits, '\t') : readTable(text, limits)
}

/** A file of values as a table, the first row as its head. */
export function Sheet({ table: { rows, isCut }, source }: { table: FileTable; source: string }) {
  const [head, ...body] = rows
  const showOdd = oddCharacters()
  const row = ({ line, cells }: FileTable['rows'][number], tag: string) =>
    `<tr id="L${line}">${cells.map((text) => `<${tag}>${showOdd(escapeHtml(text))}</${tag.slice(0, 2)}>`).join('')}</tr>`
  return (
    <>
      <section class="sheet" tabindex="0" aria-label="Table">
        <table>
          {head && <thead>{raw(row(head, 'th scope="col"'))}</thead>}
          <tbody>{raw(body.map((one) => row(one, 'td')).join(''))}</tbody>
        </table>
      </section>
      {isCut && (
        <p class="remark">
          {'This table is too large to show in full. '}
          <a href={source}>View source</a>
        </p>
      )}
    </>
  )
}
