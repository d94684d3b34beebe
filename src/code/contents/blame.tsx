import type { RepoAccess } from '#access/index.ts'
import { MAX_WHOLE_BYTES, type RefPath } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { isBinary } from '#git/diff/line-stats.ts'
import { parseCommit } from '#git/objects/commit.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import type { BlameReport } from '#git/workers/diff-tasks.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { answerPage, escapeHtml, type Html, RepoFrame, raw, type Visit } from '#web/index.ts'

const MAX_LINES = 20_000
/** Where people list commits that only reformat, one id a line. */
const IGNORE_FILE = '.git-blame-ignore-revs'
const MAX_IGNORED = 1000

/** A file with the commit that each of its lines comes from. @throws NotFound; Unprocessable for what is no text of a size that is shown */
export async function showBlame(context: Context, visit: Visit, repo: RepoAccess, place: RefPath): Promise<Response> {
  const { tree } = parseCommit(context.git.storeOf(repo.row.id).get(place.commit, 'commit').data)
  const file = await context.git.run('openPath', repo.row.id, { tree, path: place.path, maxBytes: MAX_WHOLE_BYTES })
  if (!file || (file.mode & 0o170000) !== 0o100000) throw new NotFound()
  if (file.data === undefined || isBinary(file.data)) throw new Unprocessable('This file is too large, or not text.')
  const lines = Buffer.from(file.data)
    .toString('utf8')
    .replace(/\r?\n$/, '')
    .split('\n')
  if (lines.length > MAX_LINES) throw new Unprocessable('This file has too many lines to be shown here.')
  const ignoreRevisions = await ignoredIn(context, repo, tree)
  const found = await context.git.run('blame', repo.row.id, { commit: place.commit, path: place.path, options: { ignoreRevisions } })
  const rows = renderRows(visit, repo, found, lines)
  const name = place.kind === 'commit' ? place.name.slice(0, 10) : place.name
  const back = visit.to`/${repo.owner.name}/${repo.row.name}/src/${place.kind}/${place.name}/${place.path}`
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab="code" title={`Blame of ${place.path}`}>
      <div class="bar">
        <h2>{`${place.path} in ${name}`}</h2>
        <a href={back}>The file itself</a>
      </div>
      {ignoreRevisions.length > 0 && <p class="faint">{`Commits that ${IGNORE_FILE} names are passed over.`}</p>}
      <div class="blob code">
        <table>{rows}</table>
      </div>
    </RepoFrame>,
    200,
    visit.unindexed,
  )
}

async function ignoredIn(context: Context, repo: RepoAccess, tree: Oid): Promise<Oid[]> {
  const file = await context.git.run('openPath', repo.row.id, { tree, path: IGNORE_FILE, maxBytes: 65_536 })
  const text = Buffer.from(file?.data ?? new Uint8Array()).toString('latin1')
  const ids = text
    .split('\n')
    .flatMap((line) => line.trim().split(/\s/, 1))
    .filter(isOid)
  return [...new Set(ids)].slice(0, MAX_IGNORED)
}

/** Thousands of lines are put together as escaped strings, far faster than as elements. */
function renderRows(visit: Visit, { owner, row }: RepoAccess, { groups, commits }: BlameReport, lines: readonly string[]): Html {
  const told = new Map<Oid, string>()
  for (const [oid, { author, seconds, subject }] of commits) {
    const date = new Date(Math.min(seconds, 253_402_300_799) * 1000).toISOString().slice(0, 10)
    const address = visit.to`/${owner.name}/${row.name}/commit/${oid}`
    told.set(
      oid,
      `<a href="${escapeHtml(address)}" title="${escapeHtml(subject.slice(0, 60))}">${oid.slice(0, 8)}</a> ${date} ${escapeHtml(author.slice(0, 24))}`,
    )
  }
  const rows = groups.flatMap((group) =>
    Array.from({ length: group.count }, (_, i) => {
      const number = group.line + i
      const before = group.previous && visit.to`/${owner.name}/${row.name}/blame/commit/${group.previous.commit}/${group.previous.path}`
      const older = i === 0 && before ? ` <a href="${escapeHtml(before)}" aria-label="Before this change">↑</a>` : ''
      const who = i === 0 ? told.get(group.commit) + older : ''
      const line = escapeHtml(lines[number - 1] ?? '')
      return `<tr id="L${number}"><td class="who">${who}</td><td class="n"><a href="#L${number}">${number}</a></td><td>${line}</td></tr>`
    }),
  )
  return raw(rows.join(''))
}
