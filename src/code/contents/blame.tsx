import { decorate, type RepoAccess } from '#access/index.ts'
import { MAX_WHOLE_BYTES, noSuchPath, oddCharacters, People, type RefPath, RefPicker, readTextAt, refChoices } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import type { BlamedCommit, BlameReport } from '#git/workers/diff-tasks.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { Avatar, answerPage, escapeHtml, type Html, numberText, RepoFrame, raw, sizeText, Time, type Visit } from '#web/index.ts'
import { Crumbs } from './place-bar.tsx'

const MAX_LINES = 20_000
/** Where people list commits that only reformat, one id a line. */
const IGNORE_FILE = '.git-blame-ignore-revs'
const MAX_IGNORED = 1000

interface Asked {
  /** Whether commits that the repository names to be passed over are blamed all the same; Gitea's `bypass-blame-ignore`. */
  isBypassing: boolean
}

/** A file with the commit that each of its lines comes from. @throws NotFound; Unprocessable for what is no text of a size that is shown */
export async function showBlame(
  context: Pick<Context, 'db' | 'git' | 'log' | 'rootUrl' | 'services'>,
  visit: Visit,
  repo: RepoAccess,
  place: RefPath,
  { isBypassing }: Asked,
): Promise<Response> {
  const { tree } = await context.git.look('links', repo.row.id, { oid: place.commit })
  const file = await context.git.run('openPath', repo.row.id, { tree, path: place.path, maxBytes: MAX_WHOLE_BYTES })
  if (!file || (file.mode & 0o170000) !== 0o100000) throw noSuchPath(place)
  const read = file.data && (await readTextAt(context, repo.row.id, { tree, path: place.path, oid: file.oid }, file.data))
  // git counts the lines of UTF-16 by bytes, which are not lines that anybody reads.
  if (!read || read.charset === 'UTF-16')
    throw new Unprocessable(`Cannot show blame: the file is binary, encoded in UTF-16, or larger than ${sizeText(MAX_WHOLE_BYTES)}.`)
  const lines = read.text.replace(/\r?\n$/, '').split('\n')
  if (lines.length > MAX_LINES)
    throw new Unprocessable(`Cannot show blame: the file has ${numberText(lines.length)} lines; the limit is ${numberText(MAX_LINES)}.`)
  const ignored = await decorate(context, 'ignored commits', () => ignoredIn(context, repo, tree), [])
  const ignoreRevisions = isBypassing ? [] : ignored
  const found = await context.git.run('blame', repo.row.id, { commit: place.commit, path: place.path, options: { ignoreRevisions } })
  const people = new People(context, visit.viewer)
  people.meet([...found.commits.values()].map(({ email }) => email))
  const rows = await renderRows(visit, repo, people, found, lines)
  const at = (page: string) => visit.to`/${repo.owner.name}/${repo.row.name}/${page}/${place.kind}/${place.name}/${place.path}`
  return answerPage(
    <RepoFrame visit={visit} repo={repo} tab="code" title={`Blame ${place.path}`}>
      <div class="bar">
        <div class="buttons">
          <RefPicker visit={visit} repo={repo} place={place} view="blame" choices={refChoices(context, repo)} />
          <Crumbs visit={visit} repo={repo} place={place} />
        </div>
        <nav class="actions" aria-label="File">
          <a href={at('src')}>Normal view</a>
          <a href={at('commits')}>History</a>
          <a href={visit.to`/${repo.owner.name}/${repo.row.name}/blame/commit/${place.commit}/${place.path}`} data-key="y">
            Permalink
          </a>
        </nav>
      </div>
      <h2 class="unseen">{`Blame ${place.path}`}</h2>
      {ignored.length > 0 && (
        <p class="faint">
          {isBypassing ? `Showing revisions listed in ${IGNORE_FILE}. ` : `Ignoring revisions listed in ${IGNORE_FILE}. `}
          {isBypassing ? <a href={at('blame')}>Hide ignored revisions</a> : <a href={`${at('blame')}?bypass-blame-ignore=true`}>Show ignored revisions</a>}
        </p>
      )}
      <div class="blob code blame">
        <table>{rows}</table>
      </div>
    </RepoFrame>,
    200,
    visit.unindexed,
  )
}

async function ignoredIn(context: Pick<Context, 'git'>, repo: RepoAccess, tree: Oid): Promise<Oid[]> {
  const file = await context.git.run('openPath', repo.row.id, { tree, path: IGNORE_FILE, maxBytes: 65_536 })
  const text = Buffer.from(file?.data ?? new Uint8Array()).toString('latin1')
  const ids = text
    .split('\n')
    .flatMap((line) => line.trim().split(/\s/, 1))
    .filter(isOid)
  return [...new Set(ids)].slice(0, MAX_IGNORED)
}

/** How old lines are is told in words, and shown in so many steps besides. */
const AGES = 5
const MAX_SUBJECT = 60

/** Thousands of lines are put together as escaped strings, far faster than as elements; where each is of another commit, in turns with other requests. */
export async function renderRows(
  visit: Visit,
  { owner, row }: RepoAccess,
  people: People,
  { groups, commits }: BlameReport,
  lines: readonly string[],
): Promise<Html> {
  const seconds = [...commits.values()].map((commit) => commit.seconds)
  const [oldest, newest] = [Math.min(...seconds), Math.max(...seconds)]
  const stepOf = (at: number) => (newest === oldest ? 0 : Math.min(AGES - 1, Math.floor(((newest - at) / (newest - oldest)) * AGES)))
  const told = new Map(
    [...commits].map(([oid, commit]) => [oid, { text: describe(visit, row.name, owner.name, people, oid, commit), step: stepOf(commit.seconds) }]),
  )
  const showOdd = oddCharacters()
  const rows: string[] = []
  for (const group of groups) {
    if (isDue()) await breathe()
    const before = group.previous && visit.to`/${owner.name}/${row.name}/blame/commit/${group.previous.commit}/${group.previous.path}`
    const older = before
      ? `<a href="${escapeHtml(before)}#L${group.originLine}" aria-label="Blame prior to this change" title="Blame prior to this change">↑</a> `
      : ''
    const { text, step } = told.get(group.commit) ?? { text: '', step: 0 }
    for (let i = 0; i < group.count; i++) {
      const number = group.line + i
      const line = showOdd(escapeHtml(lines[number - 1] ?? ''))
      const first = i === 0 ? ' class="first"' : ''
      rows.push(
        `<tr id="L${number}"${first}><td class="blamed age-${step}">${i === 0 ? older + text : ''}</td><td class="n"><a${number === 1 ? '' : ' tabindex="-1"'} href="#L${number}">${number}</a></td><td>${line}</td></tr>`,
      )
    }
  }
  return raw(rows.join(''))
}

/** Of a commit: its age, who wrote it and what it says. */
function describe(visit: Visit, repo: string, owner: string, people: People, oid: Oid, { author, email, seconds, subject }: BlamedCommit): string {
  const account = people.account(email)
  const who = account ? <Avatar visit={visit} of={account} size={16} /> : undefined
  const said = subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT)}…` : subject
  return (
    <>
      <Time at={seconds} /> {who}{' '}
      <a href={visit.to`/${owner}/${repo}/commit/${oid}`} title={`${account?.name ?? author}, ${oid.slice(0, 10)}`}>
        {said || oid.slice(0, 10)}
      </a>
    </>
  ).text
}
