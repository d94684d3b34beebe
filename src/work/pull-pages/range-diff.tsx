import type { RepoAccess } from '#access/index.ts'
import type { CommitPair, PatchHunk, SeriesCommit } from '#git/range-diff/range-diff.ts'
import { escapeHtml, type Html, raw, type Visit } from '#web/index.ts'

const words: Record<CommitPair['status'], string> = { '=': 'Unchanged', '!': 'Changed', '<': 'Removed', '>': 'New' }
const pairClasses: Record<CommitPair['status'], string> = { '=': 'unchanged', '!': 'changed', '<': 'gone', '>': 'new' }
const signs = { context: ' ', added: '+', deleted: '-' } as const
const classes = { context: '', added: 'add', deleted: 'del' } as const

interface Props {
  visit: Visit
  repo: RepoAccess
  pairs: readonly CommitPair[]
}

/** What became of each commit, those that changed with the difference of their patches. */
export function RangeDiffView({ visit, repo, pairs }: Props) {
  return (
    <ol class="list ranges">
      {pairs.map((pair) => (
        <li>
          <PairHead visit={visit} repo={repo} pair={pair} />
          {pair.hunks.length > 0 && renderHunks(pair.hunks)}
        </li>
      ))}
    </ol>
  )
}

function PairHead({ visit, repo, pair: { status, old, new: now } }: Omit<Props, 'pairs'> & { pair: CommitPair }) {
  const title = (now ?? old)?.title || '(no message)'
  return (
    <p>
      <span class={`pair pair-${pairClasses[status]}`}>
        <span aria-hidden="true">{status}</span> {words[status]}
      </span>{' '}
      {title}
      {old && now && old.title !== now.title && <span class="faint">{`, previously: ${old.title}`}</span>}{' '}
      <span class="faint">
        {old && <CommitLink visit={visit} repo={repo} commit={old} />}
        {old && now && ' → '}
        {now && <CommitLink visit={visit} repo={repo} commit={now} />}
      </span>
    </p>
  )
}

function CommitLink({ visit, repo: { owner, row }, commit: { oid, number } }: Omit<Props, 'pairs'> & { commit: SeriesCommit }) {
  return (
    <a href={visit.to`/${owner.name}/${row.name}/commit/${oid}`}>
      {`${number}: `}
      <code>{oid.slice(0, 10)}</code>
    </a>
  )
}

/** Longer lines are cut: no one reads them. */
const MAX_LINE = 2000

/** The lines of a patch with a sign before them that says which of them came and went; there may be thousands. */
function renderHunks(hunks: readonly PatchHunk[]): Html {
  const rows = hunks.flatMap(({ section, lines }) => [
    `<tr class="hunk"><td>@@ ${escapeHtml(section)}</td></tr>`,
    ...lines.map(({ kind, text }) => {
      const shown = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
      return `<tr class="${classes[kind]}"><td>${signs[kind]}${escapeHtml(shown)}</td></tr>`
    }),
  ])
  return raw(`<div class="blob code" tabindex="0"><table>${rows.join('')}</table></div>`)
}
