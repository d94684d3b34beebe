import { decorate } from '#access/index.ts'
import { addressWith, lineAnchor } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { Trouble } from '#web/index.ts'
import type { PullRow } from '#work/pulls/index.ts'
import { writeSuggestion } from '#work/reviews/index.ts'
import { TextField } from '#work/threads/index.ts'

/** The line that a form stands at, and what was typed there that was not taken. */
export interface AtLine {
  path: string
  /** Below zero: a line of what was before. */
  line: number
  body: string
  /** So many lines, of which this is the last, are to be there as a suggestion. */
  suggested?: number
  error?: string
  status?: number
}

/** Most lines that a suggestion is begun with. */
const MAX_SUGGESTED = 100

/** The lines that a suggestion would be about, up to the form's own; undefined for what can have none. */
export async function ownLines(
  context: Pick<Context, 'git' | 'log' | 'services'>,
  pull: PullRow,
  { path, line, suggested = 1 }: AtLine,
): Promise<string[] | undefined> {
  if (line <= 0) return undefined
  const count = Math.min(Math.max(1, suggested), MAX_SUGGESTED, line)
  const asked = [{ commit: pull.head_oid, path, first: line - count + 1, last: line }]
  const [lines] = await decorate(context, 'lines of a suggestion', () => context.git.run('readLines', pull.repo_id, { asked }), [])
  return lines
}

const WRITE = 'write'

/** Returns the address of a files page with the comment form for a line. */
export function addressOfForm(page: string, { path, line }: Pick<AtLine, 'path' | 'line'>, more: Record<string, string> = {}): string {
  return `${addressWith(page, { path, line: String(line), ...more })}#${WRITE}`
}

/** Returns the id of a line on a files page. */
export function lineId({ path, line }: Pick<AtLine, 'path' | 'line'>): string {
  return `${lineAnchor(path)}${line > 0 ? 'R' : 'L'}${Math.abs(line)}`
}

/** A hidden field with the query of the files page, so that the reader comes back to the same page. */
export function BackField({ page }: Pick<Props, 'page'>) {
  const [, query = ''] = page.split('?')
  return query === '' ? null : <input type="hidden" name="back" value={query} />
}

interface Props {
  /** Of the pull request. */
  address: string
  /** Of the page of files that the form is on. */
  page: string
  at: AtLine
  head: string
  /** What a suggestion begins with. */
  own: readonly string[] | undefined
  /** Whether the viewer has a pending review, which the comment joins. */
  hasPending: boolean
}

/** What somebody has to say of a line, or would have in its place. */
export function LineForm({ address, page, at, head, own, hasPending }: Props) {
  const suggestion = own && writeSuggestion({ above: own.length - 1, below: 0, lines: [...own] })
  const text = at.suggested !== undefined && suggestion !== undefined && at.body === '' ? `${suggestion}\n` : at.body
  return (
    <div class="written">
      <form class="fields" method="post" action={`${address}/line`}>
        <Trouble text={at.error} />
        <input type="hidden" name="path" value={at.path} />
        <input type="hidden" name="line" value={at.line} />
        <input type="hidden" name="commit_id" value={head} />
        <BackField page={page} />
        {/* Browsers go to what an address names after its # and, where that can be written in, put the cursor there. */}
        <TextField text={text} label="Leave a comment" rows={4} id={WRITE} />
        <div class="buttons">
          <button class="primary" type="submit" name="action" value="review">
            {hasPending ? 'Add review comment' : 'Start a review'}
          </button>
          <button type="submit" name="action" value="now">
            Add single comment
          </button>
          {suggestion !== undefined && (
            <a href={`${addressOfForm(page, at, { suggest: '1' })}`} data-insert={suggestion}>
              Suggest a change
            </a>
          )}
          <a href={`${page}#${lineId(at)}`} data-leave>
            Cancel
          </a>
        </div>
      </form>
      {suggestion !== undefined && at.line > 1 && <SeveralLines page={page} at={at} />}
    </div>
  )
}

/** Begins a suggestion about lines above as well. */
function SeveralLines({ page, at }: Pick<Props, 'page' | 'at'>) {
  const [path, query] = page.split('?')
  return (
    <details>
      <summary>Suggest a change to multiple lines</summary>
      <form class="search" method="get" action={`${path}#${WRITE}`}>
        {[...new URLSearchParams(query)].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="path" value={at.path} />
        <input type="hidden" name="line" value={at.line} />
        <label>
          Number of lines, ending at this line{' '}
          <input type="number" name="suggest" value={Math.max(2, at.suggested ?? 2)} min={1} max={Math.min(MAX_SUGGESTED, at.line)} />
        </label>
        <button type="submit">Add suggestion</button>
      </form>
    </details>
  )
}
