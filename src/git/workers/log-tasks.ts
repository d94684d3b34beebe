import { breathe, isDue } from '#kernel/breathe.ts'
import { type CommitDetails, commitDetails } from '../browse/commit-details.ts'
import type { CommitSource } from '../history/commit-source.ts'
import { type LaneRow, Lanes } from '../history/lanes.ts'
import { FrontLost, PagedWalk, type Waiting, type WalkFront, type WalkStart } from '../history/paged-walk.ts'
import { PathChanges } from '../history/path-changes.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'
import type { OpenRepo } from './open-repos.ts'

/** Which commits are looked for. Texts occur anywhere, whatever the case of their letters; '' does everywhere. */
export interface LogFilter {
  /** Only commits that changed this file or directory. */
  path?: string | undefined
  /** Seconds since 1970. */
  since?: number | undefined
  until?: number | undefined
  /** In the author's name or address. */
  by: string
  /** In the message. */
  saying: string
}

/** A front as it came from elsewhere: commits by the first digits of their ids. */
export interface SentFront {
  waiting: readonly { prefix: string; column: number }[]
  oldest: number
}

export interface LogQuestion {
  start: Omit<WalkStart, 'front'> & { front?: SentFront | undefined }
  filter: LogFilter
  skip: number
  limit: number
  /** No page follows: what comes behind this one is not looked for. */
  isAlone?: boolean
  /** Columns of the graph, which histories that are not filtered have. */
  maxLanes: number
  milliseconds: number
}

/** A commit and, where there is a graph, how it stands in that. */
export interface LogRow extends CommitDetails {
  row?: LaneRow
}

export interface LogAnswer {
  rows: LogRow[]
  /** Where the next page begins; absent when there is none. */
  next?: { after: Oid; front: WalkFront | undefined }
  /** Whether time ran out before all commits were looked at that the page has room for. */
  isCut: boolean
  /** The walk came by the commit that the page comes after. */
  hasBegun: boolean
}

export const logTasks = {
  /** A page of a history, newest first: it costs the same wherever in the history it is. */
  async readLog(repo: OpenRepo, question: LogQuestion): Promise<LogAnswer> {
    const { front: sent, ...start } = question.start
    try {
      return await readPage(repo, { ...start, front: sent && findFront(repo.store, sent) }, question)
    } catch (error) {
      if (!(error instanceof FrontLost)) throw error
      return readPage(repo, start, question)
    }
  },
}

/** Undefined where one of its commits is not here, or cannot be told from another. */
function findFront(store: ObjectReader, { waiting, oldest }: SentFront): WalkFront | undefined {
  const found: Waiting[] = []
  for (const { prefix, column } of waiting) {
    const [oid, second] = store.findByPrefix(prefix, 2)
    if (oid === undefined || second !== undefined || store.findHeader(oid)?.type !== 'commit') return undefined
    found.push({ oid, column })
  }
  return { waiting: found, oldest }
}

async function readPage(repo: OpenRepo, start: WalkStart, { filter, skip, limit, isAlone, maxLanes, milliseconds }: LogQuestion): Promise<LogAnswer> {
  const source = repo.commits()
  const walk = new PagedWalk(source, start)
  const steps = new LogSteps(source, walk, filter, { maxLanes, front: start.front })
  const answer: LogAnswer = { rows: [], isCut: false, hasBegun: true }
  const end = performance.now() + milliseconds
  let left = skip
  let last = -1
  const endHere = () => {
    answer.next = { after: source.oid(last), front: walk.front((id) => steps.columnOf(id)) }
  }
  for (let step = steps.next(); step; step = steps.next()) {
    if (isDue()) await breathe()
    const isAsked = step.isAsked && (isAnySaying(filter) ? left-- <= 0 : true)
    const details = isAsked ? await commitDetails(repo.store, source.oid(step.id), { files: false, stat: false }) : undefined
    const isFound = details !== undefined && (isAnySaying(filter) || (fits(details.commit, filter) && left-- <= 0))
    if (isFound && answer.rows.length === limit) return answer
    if (isFound) answer.rows.push(step.row ? { ...details, row: step.row } : details)
    if (isAlone && answer.rows.length === limit) return answer
    last = step.id
    if (isFound && answer.rows.length === limit) endHere()
    if (performance.now() < end) continue
    // A full page that may be the last one is as good as another.
    answer.isCut = answer.rows.length < limit
    answer.next ?? endHere()
    return answer
  }
  return { rows: answer.rows, isCut: false, hasBegun: walk.hasBegun }
}

interface Step {
  id: number
  /** Whether it belongs to the page, as far as its date and the path tell. */
  isAsked: boolean
  row?: LaneRow | undefined
}

/** The walk of a log, commit by commit, with the graph where there is one. */
class LogSteps {
  readonly #source: CommitSource
  readonly #walk: PagedWalk
  readonly #filter: LogFilter
  readonly #changes: PathChanges | undefined
  readonly #lanes: Lanes | undefined

  constructor(source: CommitSource, walk: PagedWalk, filter: LogFilter, { maxLanes, front }: { maxLanes: number; front: WalkFront | undefined }) {
    this.#source = source
    this.#walk = walk
    this.#filter = filter
    this.#changes = filter.path === undefined ? undefined : new PathChanges(source, filter.path)
    const open = front?.waiting.map(({ oid, column }) => ({ id: source.idOf(oid), column }))
    if (isWhole(filter)) this.#lanes = new Lanes(maxLanes, open)
  }

  next(): Step | undefined {
    const { id, isShown } = this.#walk.next()
    if (id < 0) return undefined
    const { since = -Infinity, until = Infinity } = this.#filter
    const date = this.#source.date(id)
    if (date < since) return { id, isAsked: false }
    const { changed, follow } = this.#changes?.at(id, () => true) ?? { changed: true, follow: [...this.#source.parents(id)] }
    const row = this.#lanes?.place(id, follow)
    for (const parent of follow) this.#walk.meet(parent)
    return { id, isAsked: isShown && changed && date <= until, row }
  }

  columnOf(id: number): number {
    return this.#lanes?.columnOf(id) ?? -1
  }
}

function isWhole({ path, since, until, ...asked }: LogFilter): boolean {
  return path === undefined && since === undefined && until === undefined && isAnySaying(asked)
}

function isAnySaying({ by, saying }: Pick<LogFilter, 'by' | 'saying'>): boolean {
  return by === '' && saying === ''
}

function fits({ author, message }: CommitDetails['commit'], { by, saying }: LogFilter): boolean {
  return `${author.name} <${author.email}>`.toLowerCase().includes(by.toLowerCase()) && message.toLowerCase().includes(saying.toLowerCase())
}
