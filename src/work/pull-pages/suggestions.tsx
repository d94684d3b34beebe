import { decorate, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Html, raw, TextArea, TextField, Trouble, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { getPullRow, headHome } from '#work/pulls/index.ts'
import { findSuggestions, type LineComment, type Suggestion } from '#work/reviews/index.ts'
import { lineRow } from './hunk.tsx'

/** What a form for suggestions said that was not taken. */
export interface SuggestionDraft {
  picks: readonly string[]
  title: string
  message: string
  error: string
}

/** The form that takes what is ticked anywhere on the page. */
const GATHERED = 'suggestions'

interface Shown {
  /** Of the pull request. */
  address: string
  comment: LineComment
  index: number
  suggestion: Suggestion
  /** The lines that it would replace, as far as they are known. */
  before: readonly string[] | undefined
  mayCommit: boolean
}

/** Shows the suggestions in comments as what they would change, with forms that commit them for who may push to the branch. */
export class Suggestions {
  /** Those that can be committed and are shown. */
  offered = 0
  readonly #shown = new Map<number, Omit<Shown, 'address'>[]>()
  readonly #address: string
  readonly #draft: SuggestionDraft | undefined
  readonly #isGathered: boolean

  /** @param isGathered whether the page has the form that takes several at once */
  constructor(address: string, isGathered: boolean, draft?: SuggestionDraft) {
    this.#address = address
    this.#isGathered = isGathered
    this.#draft = draft
  }

  async read(
    context: Pick<Context, 'services' | 'db' | 'git' | 'log'>,
    { viewer }: Visit,
    repo: RepoAccess,
    issue: IssueRow,
    comments: readonly LineComment[],
  ): Promise<void> {
    const all = comments.flatMap((comment) => findSuggestions(comment.body).map((suggestion, index) => ({ comment, suggestion, index })))
    if (all.length === 0) return
    const pull = getPullRow(context.db, issue)
    const mayPush = issue.is_closed === 0 && headHome(context, viewer, repo, pull) !== undefined
    const lines = await linesBefore(context, pull.repo_id, all)
    for (const [i, one] of all.entries()) {
      const before = lines[i] ?? ownLine(one)
      const isCurrent = one.comment.is_outdated === 0 && one.comment.line > 0 && one.comment.type === 'code' && before !== undefined
      const shown = { ...one, before, mayCommit: mayPush && isCurrent }
      this.#shown.set(one.comment.id, [...(this.#shown.get(one.comment.id) ?? []), shown])
      if (shown.mayCommit) this.offered++
    }
  }

  /** A comment's text with its suggestions in place of their blocks. */
  dress({ id }: LineComment, html: Html): Html {
    const found = this.#shown.get(id)
    if (!found) return html
    const views = found.map((one) => this.#view(one).text)
    const blocks = [...html.text.matchAll(block)]
    // Markdown may see a block where there is no suggestion, as in a list.
    if (blocks.length !== views.length) return raw([html.text, ...views].join(''))
    let next = 0
    return raw(html.text.replace(block, () => views[next++] as string))
  }

  #view(shown: Omit<Shown, 'address'>): Html {
    const pick = pickOf(shown)
    const isPicked = this.#draft?.picks.includes(pick) ?? false
    return <SuggestionView {...shown} address={this.#address} pick={pick} isGathered={this.#isGathered} isPicked={isPicked} />
  }

  /** Commits what is ticked above. */
  gathered(): Html | null {
    if (this.offered < 2 && this.#draft === undefined) return null
    const { title = 'Apply suggestions from the review', message = '', error } = this.#draft ?? {}
    return (
      <form class="fields written" id={GATHERED} method="post" action={`${this.#address}/suggestions`}>
        <Trouble text={error} />
        <strong>Commit batched suggestions</strong>
        <CommitFields title={title} message={message} />
      </form>
    )
  }
}

const block = /<pre><code class="language-suggestion(?::-\d+\+\d+)?">[\s\S]*?<\/code><\/pre>/g

function pickOf({ comment, index }: Pick<Shown, 'comment' | 'index'>): string {
  return `${comment.id}.${index}.${comment.content_version}`
}

/** As the commit has them in which the comment stands; nothing is known of what is gone. */
async function linesBefore(
  context: Pick<Context, 'git' | 'log' | 'services'>,
  repoId: number,
  all: readonly Pick<Shown, 'comment' | 'suggestion'>[],
): Promise<(string[] | undefined)[]> {
  const asked = all.map(({ comment: { path, line, at_oid, is_outdated }, suggestion: { above, below } }) => {
    const isThere = is_outdated === 0 && line > 0
    return { commit: at_oid, path, first: isThere ? line - above : 0, last: isThere ? line + below : 0 }
  })
  return decorate(context, 'lines of suggestions', () => context.git.run('readLines', repoId, { asked }), [])
}

/** Of what is outdated the line that it was about is kept. */
function ownLine({ comment: { hunk, line }, suggestion: { above, below } }: Pick<Shown, 'comment' | 'suggestion'>): string[] | undefined {
  const last = hunk.split('\n').at(-1) ?? ''
  return hunk === '' || line < 0 || above + below > 0 ? undefined : [last.slice(1)]
}

function titleOf({ above, below, lines }: Suggestion): string {
  if (lines.length > 0) return 'Suggestion'
  return above + below === 0 ? 'Suggestion: delete this line' : 'Suggestion: delete these lines'
}

interface ViewProps extends Shown {
  pick: string
  isGathered: boolean
  isPicked: boolean
}

function SuggestionView({ address, comment, suggestion, before, mayCommit, pick, isGathered, isPicked }: ViewProps) {
  const first = comment.line - suggestion.above
  const rows = [
    ...(before ?? []).map((line, i) => lineRow(comment.is_outdated === 1 ? '' : first + i, '', `-${line}`)),
    ...suggestion.lines.map((line, i) => lineRow('', comment.is_outdated === 1 ? '' : first + i, `+${line}`)),
  ]
  return (
    <section class="suggestion" aria-label="Suggestion">
      <p class="faint">{titleOf(suggestion)}</p>
      <div class="blob code">
        <table>{raw(rows.join(''))}</table>
      </div>
      {mayCommit && (
        <div class="buttons">
          <details>
            <summary class="button">Commit suggestion</summary>
            <form class="fields" method="post" action={`${address}/suggestions`}>
              <input type="hidden" name="pick" value={pick} />
              <CommitFields title={`Apply a suggestion to ${comment.path}`} message="" />
            </form>
          </details>
          {isGathered && (
            <label class="choice">
              <input type="checkbox" form={GATHERED} name="pick" value={pick} checked={isPicked} /> Add suggestion to batch
            </label>
          )}
        </div>
      )}
    </section>
  )
}

function CommitFields({ title, message }: { title: string; message: string }) {
  return (
    <>
      <TextField name="title" label="Commit title" value={title} most={4096} isRequired />
      <TextArea name="message" label="Commit description" value={message} />
      <div>
        <button class="primary" type="submit">
          Commit changes
        </button>
      </div>
    </>
  )
}
