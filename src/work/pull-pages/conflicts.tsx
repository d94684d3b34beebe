import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Choice, ConflictPart } from '#git/merge/conflict-parts.ts'
import type { ConflictSide, OpenConflict } from '#git/merge/open-conflicts.ts'
import type { Solution, WholeChoice } from '#git/merge/solve-conflicts.ts'
import type { Problem } from '#kernel/errors.ts'
import { answerDone, answerPage, countText, mendable, SubmitButton, Trouble, type Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { readConflicts, solveConflicts } from '#work/pulls/index.ts'
import { lineFeeds } from '#work/threads/index.ts'
import { PullFrame } from './show-pull.tsx'
import { readTabs } from './tab-counts.ts'

/** Lines of what is merged already that are shown above and below a conflict. */
const CONTEXT = 3

/** What was chosen, by the fields' names. */
export type Fields = Readonly<Record<string, string>>

interface Seen {
  head: string
  base: string
  conflicts: readonly OpenConflict[]
}

/** The conflicts of a pull request, each with what to choose from. What was typed before is there again. */
export async function showConflicts(
  context: Context,
  visit: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  typed: Fields = {},
  problem?: Problem,
): Promise<Response> {
  const seen = await readConflicts(context, visit.viewer, repo, issue)
  // Choices for other commits say nothing of these.
  const kept = typed.head === seen.head && typed.base === seen.base ? typed : {}
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`
  const { pull, counts } = await readTabs(context, repo, issue)
  const names = { ours: pull.head_branch, theirs: pull.base_branch }
  const page = (
    <PullFrame visit={visit} repo={repo} issue={issue} pull={pull} tab="conversation" counts={counts}>
      <h3>{`Resolve conflicts between ${names.ours} and ${names.theirs}`}</h3>
      <Trouble text={problem?.message} />
      {seen.conflicts.length === 0 && <p>There are no conflicts to resolve.</p>}
      {seen.conflicts.length > 0 && <ConflictForm address={address} seen={seen} names={names} typed={kept} />}
    </PullFrame>
  )
  return answerPage(page, problem?.status ?? 200)
}

/** Merges what was chosen; what cannot be is shown again with the reason. */
export async function solve(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow, fields: Fields): Promise<Response> {
  try {
    const { conflicts } = await readConflicts(context, visit.viewer, repo, issue)
    const { head = '', base = '' } = fields
    await solveConflicts(context, visit.viewer, repo, issue, { head, base, solutions: solutionsIn(conflicts, fields) })
    return answerDone(visit, visit.to`/${repo.owner.name}/${repo.row.name}/pulls/${issue.number}`, 'Conflicts resolved')
  } catch (error) {
    const problem = mendable(error, 403)
    if (problem.status === 404) throw problem
    return showConflicts(context, visit, repo, issue, fields, problem)
  }
}

function conflictsIn(parts: readonly ConflictPart[]): { ours: Uint8Array; theirs: Uint8Array }[] {
  return parts.filter((part) => 'ours' in part)
}

/** Of files where something is not chosen there is no solution, which is refused with their names. */
function solutionsIn(conflicts: readonly OpenConflict[], fields: Fields): Solution[] {
  return conflicts.flatMap(({ path, parts }, i): Solution[] => {
    const whole = fields[`file-${i}`]
    if (isWhole(whole)) return [{ path, side: whole }]
    const mode = fields[`mode-${i}`] === 'theirs' ? 'theirs' : 'ours'
    const choices = conflictsIn(parts ?? []).flatMap((_, k) => choiceIn(fields, `${i}-${k}`) ?? [])
    return parts === undefined || choices.length < conflictsIn(parts).length ? [] : [{ path, choices, mode }]
  })
}

function isWhole(text = ''): text is WholeChoice {
  return ['ours', 'theirs', 'neither', 'both', 'elsewhere', 'done'].includes(text)
}

function choiceIn(fields: Fields, place: string): Choice | undefined {
  const choice = fields[`choice-${place}`]
  if (choice === 'ours' || choice === 'theirs' || choice === 'both') return choice
  if (choice !== 'edit') return undefined
  const text = lineFeeds(fields[`text-${place}`] ?? '')
  return { text: text === '' || text.endsWith('\n') ? text : `${text}\n` }
}

interface FormProps {
  address: string
  seen: Seen
  /** The branches. */
  names: { ours: string; theirs: string }
  typed: Fields
}

function ConflictForm({ address, seen, names, typed }: FormProps) {
  return (
    <form class="fields" method="post" action={`${address}/conflicts`}>
      <input type="hidden" name="head" value={seen.head} />
      <input type="hidden" name="base" value={seen.base} />
      {seen.conflicts.map((conflict, i) => (
        <section class="written" aria-label={conflict.path}>
          <h4>
            <code>{conflict.path}</code>
          </h4>
          <WholeFile conflict={conflict} names={names} name={`file-${i}`} chosen={typed[`file-${i}`]} />
          <ModeChoice conflict={conflict} names={names} name={`mode-${i}`} chosen={typed[`mode-${i}`]} />
          {conflict.parts && <Parts parts={conflict.parts} file={i} path={conflict.path} names={names} typed={typed} />}
        </section>
      ))}
      <SubmitButton>Commit merge</SubmitButton>
    </form>
  )
}

interface WholeProps {
  conflict: OpenConflict
  names: FormProps['names']
  name: string
  chosen: string | undefined
}

const GITLINK = 0o160000
const LINK = 0o120000
const PROGRAM = 0o100755

function WholeFile({ conflict, names, name, chosen }: WholeProps) {
  const { path, parts, notes, isDone } = conflict
  const offers = isDone ? ([['done', 'Accept the automatic merge result']] as const) : offersOf(conflict, names)
  return (
    <>
      {notes.map((note) => (
        <p class="faint">{note}</p>
      ))}
      <fieldset>
        <legend>{isDone ? 'Resolution' : `Resolve ${path}`}</legend>
        {parts && <Radio name={name} value="" label="Choose per conflict" checked={offers.every(([value]) => value !== chosen)} />}
        {offers.map(([value, label]) => (
          <Radio name={name} value={value} label={label} checked={chosen === value} required={parts === undefined} />
        ))}
      </fieldset>
    </>
  )
}

/** What a whole path can become, and what that says. */
function offersOf({ ours, theirs, elsewhere }: OpenConflict, names: FormProps['names']): (readonly [WholeChoice, string])[] {
  const offers: (readonly [WholeChoice, string])[] = [
    ['ours', wordsOf(ours, names.ours)],
    ['theirs', wordsOf(theirs, names.theirs)],
  ]
  if (ours && theirs) offers.push(['both', `Keep both files (rename the one from ${names.theirs})`], ['neither', 'Delete the file'])
  if (elsewhere !== undefined) offers.push(['elsewhere', `Keep the file at ${elsewhere}`])
  return offers
}

function wordsOf(side: ConflictSide | undefined, branch: string): string {
  if (side === undefined) return `Delete the file (as in ${branch})`
  if (side.mode === GITLINK) return `Use the submodule from ${branch} (${side.oid.slice(0, 10)})`
  if (side.mode === LINK) return `Use the symbolic link from ${branch}`
  return `Use the file from ${branch}${side.mode === PROGRAM ? ' (executable)' : ''}`
}

/** Where lines are chosen, the mode may be another on each side. */
function ModeChoice({ conflict: { ours, theirs, parts }, names, name, chosen }: WholeProps) {
  if (!parts || !ours || !theirs || ours.mode === theirs.mode) return null
  const wordsFor = (side: ConflictSide, branch: string) => `${side.mode === PROGRAM ? 'Executable' : 'Not executable'} (from ${branch})`
  return (
    <fieldset>
      <legend>File mode</legend>
      <Radio name={name} value="ours" label={wordsFor(ours, names.ours)} checked={chosen !== 'theirs'} />
      <Radio name={name} value="theirs" label={wordsFor(theirs, names.theirs)} checked={chosen === 'theirs'} />
    </fieldset>
  )
}

interface RadioProps {
  name: string
  value: string
  label: string
  checked: boolean
  required?: boolean
}

function Radio({ name, value, label, checked, required = false }: RadioProps) {
  return (
    <label class="choice">
      <input type="radio" name={name} value={value} checked={checked} required={required} /> {label}
    </label>
  )
}

interface PartsProps {
  parts: readonly ConflictPart[]
  file: number
  path: string
  names: FormProps['names']
  typed: Fields
}

function Parts({ parts, file, path, names, typed }: PartsProps) {
  let count = 0
  return (
    <>
      {parts.map((part, at) => {
        if ('same' in part) return <Same text={textOf(part.same)} isFirst={at === 0} isLast={at === parts.length - 1} />
        const place = `${file}-${count++}`
        return <Conflicting part={part} place={place} label={`Conflict ${count} in ${path}`} names={names} typed={typed} />
      })}
    </>
  )
}

/** The lines next to conflicts; how many are between is told. */
function Same({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const lines = text.replace(/\n$/, '').split('\n')
  if (text === '') return null
  const kept = (isFirst ? 0 : CONTEXT) + (isLast ? 0 : CONTEXT)
  if (lines.length <= kept) return <pre>{lines.join('\n')}</pre>
  const above = isFirst ? [] : lines.slice(0, CONTEXT)
  const below = isLast ? [] : lines.slice(-CONTEXT)
  const hidden = lines.length - above.length - below.length
  return <pre>{[...above, `… ${countText(hidden, 'line')} …`, ...below].join('\n')}</pre>
}

interface ConflictingProps {
  part: { ours: Uint8Array; theirs: Uint8Array }
  place: string
  label: string
  names: FormProps['names']
  typed: Fields
}

function Conflicting({ part, place, label, names, typed }: ConflictingProps) {
  const name = `choice-${place}`
  const [ours, theirs] = [textOf(part.ours), textOf(part.theirs)]
  const sides = [
    ['ours', names.ours, ours],
    ['theirs', names.theirs, theirs],
  ] as const
  return (
    <fieldset class="conflict">
      <legend>{label}</legend>
      {sides.map(([value, branch, text]) => (
        <div>
          <Radio name={name} value={value} label={`Use ${branch}`} checked={typed[name] === value} />
          <pre class={value === 'ours' ? 'del' : 'add'}>{text || '(empty)'}</pre>
        </div>
      ))}
      <Radio name={name} value="both" label={`Use both (${names.ours} first)`} checked={typed[name] === 'both'} />
      <Radio name={name} value="edit" label="Edit" checked={typed[name] === 'edit'} />
      <textarea name={`text-${place}`} rows={Math.min(12, Math.max(3, `${ours}${theirs}`.split('\n').length))} aria-label={`${label}: edited text`}>
        {`\n${typed[`text-${place}`] ?? ours + theirs}`}
      </textarea>
    </fieldset>
  )
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8')
}
