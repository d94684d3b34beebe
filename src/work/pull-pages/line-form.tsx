import { decorate } from '#access/index.ts'
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

interface Props {
  address: string
  at: AtLine
  head: string
  /** What a suggestion begins with. */
  own: readonly string[] | undefined
}

/** What somebody has to say of a line, or would have in its place. */
export function LineForm({ address, at, head, own }: Props) {
  const suggestion = own && writeSuggestion({ above: own.length - 1, below: 0, lines: [...own] })
  const here = `${address}/files?path=${encodeURIComponent(at.path)}&line=${at.line}`
  const text = at.suggested !== undefined && suggestion !== undefined && at.body === '' ? `${suggestion}\n` : at.body
  return (
    <div class="written" id="write">
      <form class="fields" method="post" action={`${address}/line`}>
        <Trouble text={at.error} />
        <input type="hidden" name="path" value={at.path} />
        <input type="hidden" name="line" value={at.line} />
        <input type="hidden" name="commit_id" value={head} />
        <TextField text={text} label="What about this line? In Markdown" rows={4} />
        <div class="buttons">
          <button class="primary" type="submit" name="action" value="review">
            Keep it for my review
          </button>
          <button type="submit" name="action" value="now">
            Post it now
          </button>
          {suggestion !== undefined && (
            <a href={`${here}&suggest=1#write`} data-insert={suggestion}>
              Suggest a change
            </a>
          )}
          <a href={`${address}/files`}>Leave it</a>
        </div>
      </form>
      {suggestion !== undefined && at.line > 1 && <SeveralLines address={address} at={at} />}
    </div>
  )
}

/** Begins a suggestion about lines above as well. */
function SeveralLines({ address, at }: Pick<Props, 'address' | 'at'>) {
  return (
    <details>
      <summary>Suggest a change of several lines</summary>
      <form class="search" method="get" action={`${address}/files#write`}>
        <input type="hidden" name="path" value={at.path} />
        <input type="hidden" name="line" value={at.line} />
        <label>
          Lines, up to this one: <input type="number" name="suggest" value={Math.max(2, at.suggested ?? 2)} min={1} max={Math.min(MAX_SUGGESTED, at.line)} />
        </label>
        <button type="submit">Suggest</button>
      </form>
    </details>
  )
}
