import { breathe, isDue } from '#kernel/breathe.ts'
import { withoutCommonTail } from '../diff/contents.ts'
import { diffLines, type LineChange, type LineDiffOptions } from '../diff/line-diff.ts'
import { Lines, lineCountOf } from '../diff/lines.ts'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps, type Steps } from '../steps.ts'
import { guessLines } from './blame-guess.ts'
import { BlameOrigins, type Origin, type Suspicion } from './blame-origins.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'

export interface BlameOptions extends Pick<LineDiffOptions, 'ignoredSpace' | 'effort'> {
  /** Commits to pass over where an older line can be guessed, as those that only reformat. */
  ignoreRevisions?: readonly Oid[]
  /** A file with more bytes than this is not looked into. Default: 16 MiB. */
  maxFileBytes?: number
  signal?: AbortSignal
}

/** Lines that stand together and come from one commit. Lines are counted from 1. */
export interface BlameGroup {
  commit: Oid
  /** What the file was called there. */
  path: string
  line: number
  /** The line there. */
  originLine: number
  count: number
  /** The commit before, and the file's name in it, where the lines may be looked for further; absent where the file began. */
  previous?: { commit: Oid; path: string }
  /** Whether the commit has no parents. */
  isBoundary: boolean
  isIgnored: boolean
  isUnblamable: boolean
}

export interface Blame {
  /** In the order of the file. */
  groups: BlameGroup[]
  /** Of the whole file. */
  lineCount: number
}

const DEFAULT_MAX_FILE_BYTES = 16 << 20

/**
 * Finds which commit every line of a file comes from, following whole-file renames: what `git blame` says.
 * @throws GitError `absent` when the file does not exist, `limit` when it is too large or too much work
 */
export async function blame(source: CommitSource, commit: Oid, path: string, options: BlameOptions = {}): Promise<Blame> {
  const origins = new BlameOrigins(source)
  const origin = origins.open(source.idOf(commit), path)
  if (origin === undefined || !isBlob(origin)) throw new GitError('absent', `Cannot blame "${path}": the file does not exist`)
  return new Blaming(source, origins, options).run(origin)
}

function isBlob({ mode }: Origin): boolean {
  return mode >> 12 === 0o10 || mode >> 12 === 0o12
}

/** A parent's version of the file that is being looked into. */
interface Scapegoat {
  origin: Origin
  changes: LineChange[] | undefined
}

class Blaming {
  readonly #source: CommitSource
  readonly #origins: BlameOrigins
  readonly #options: BlameOptions
  readonly #ignored: ReadonlySet<number>
  readonly #queue = new CommitQueue()
  readonly #settled: { origin: Origin; suspicion: Suspicion }[] = []

  constructor(source: CommitSource, origins: BlameOrigins, options: BlameOptions) {
    this.#source = source
    this.#origins = origins
    this.#options = options
    this.#ignored = new Set(options.ignoreRevisions?.map((oid) => source.idOf(oid)))
  }

  async run(start: Origin): Promise<Blame> {
    const lineCount = lineCountOf(this.#content(start))
    this.#suspect(start, lineCount === 0 ? [] : [{ line: 0, originLine: 0, count: lineCount, isIgnored: false, isUnblamable: false }])
    for (let id = this.#queue.pop(); id >= 0; id = this.#queue.pop()) {
      for (let origin = this.#nextOf(id); origin !== undefined; origin = this.#nextOf(id)) {
        await runSteps(this.#passOn(origin), this.#options.signal)
        for (const suspicion of origin.suspicions) this.#settled.push({ origin, suspicion })
        origin.suspicions = []
        if (isDue()) await breathe()
        this.#options.signal?.throwIfAborted()
      }
    }
    return { groups: this.#groups(), lineCount }
  }

  #nextOf(id: number): Origin | undefined {
    return this.#origins.of(id).find(({ suspicions }) => suspicions.length > 0)
  }

  /** Adds to what an origin is suspected of; its commit has its turn when all newer ones had theirs. */
  #suspect(origin: Origin, suspicions: Suspicion[]): void {
    if (suspicions.length === 0) return
    if (this.#nextOf(origin.id) === undefined) this.#queue.push(origin.id, this.#source.date(origin.id))
    origin.suspicions = [...origin.suspicions, ...suspicions].sort((a, b) => a.originLine - b.originLine)
  }

  *#passOn(origin: Origin): Steps<void> {
    const scapegoats = yield* this.#scapegoats(origin, [...this.#source.parents(origin.id)])
    if (scapegoats === undefined) return
    for (const scapegoat of scapegoats) {
      origin.previous ??= scapegoat.origin
      yield* this.#passSame(origin, scapegoat)
      if (origin.suspicions.length === 0) return
    }
    if (!this.#ignored.has(origin.id)) return
    for (const { origin: parent, changes } of scapegoats) {
      this.#passGuessed(origin, parent, changes ?? (yield* this.#changes(parent, origin)))
      if (origin.suspicions.length === 0) return
    }
  }

  /** The parents' versions that differ, each content once; undefined when one is the same and takes it all. */
  *#scapegoats(origin: Origin, parents: readonly number[]): Steps<Scapegoat[] | undefined> {
    const found = new Map<number, Origin>()
    for (const isRenamed of [false, true]) {
      for (const [at, parent] of parents.entries()) {
        if (found.has(at)) continue
        const candidate = isRenamed ? yield* this.#origins.renamed(parent, origin) : this.#origins.samePath(parent, origin, at === 0)
        if (candidate === undefined) continue
        if (candidate.oid === origin.oid) {
          const all = origin.suspicions
          origin.suspicions = []
          this.#suspect(candidate, all)
          return undefined
        }
        if (![...found].some(([before, { oid }]) => before < at && oid === candidate.oid)) found.set(at, candidate)
      }
    }
    return [...found].sort(([a], [b]) => a - b).map(([, parent]) => ({ origin: parent, changes: undefined }))
  }

  /** Lines that did not change come from the parent. */
  *#passSame(origin: Origin, scapegoat: Scapegoat): Steps<void> {
    scapegoat.changes = yield* this.#changes(scapegoat.origin, origin)
    const { same, changed } = split(origin.suspicions, scapegoat.changes)
    origin.suspicions = changed
    this.#suspect(scapegoat.origin, same)
  }

  /** Lines that an ignored commit changed come from what they may have been before. */
  #passGuessed(origin: Origin, parent: Origin, changes: readonly LineChange[]): void {
    const guesses = guessLines(new Lines(this.#content(parent)), new Lines(this.#content(origin)), changes)
    const kept: Suspicion[] = []
    const passed: Suspicion[] = []
    for (const suspicion of origin.suspicions) {
      for (let i = 0; i < suspicion.count; i++) {
        const line = { ...suspicion, line: suspicion.line + i, originLine: suspicion.originLine + i, count: 1 }
        const guess = guesses.get(line.originLine)
        if (guess === undefined) kept.push({ ...line, isUnblamable: true })
        else passed.push({ ...line, originLine: guess, isIgnored: true })
      }
    }
    origin.suspicions = joined(kept)
    this.#suspect(parent, joined(passed))
  }

  *#changes(parent: Origin, origin: Origin): Steps<LineChange[]> {
    const [before, after] = withoutCommonTail(this.#content(parent), this.#content(origin))
    return (yield* diffLines(before, after, this.#options)).changes
  }

  #content({ oid }: Origin): Uint8Array {
    return this.#source.store.get(oid, 'blob', this.#options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES).data
  }

  #groups(): BlameGroup[] {
    const groups: { origin: Origin; suspicion: Suspicion }[] = []
    for (const next of this.#settled.sort((a, b) => a.suspicion.line - b.suspicion.line)) {
      const last = groups.at(-1)
      if (last?.origin === next.origin && continues(last.suspicion, next.suspicion)) last.suspicion.count += next.suspicion.count
      else groups.push({ origin: next.origin, suspicion: { ...next.suspicion } })
    }
    return groups.map(({ origin, suspicion }) => this.#present(origin, suspicion))
  }

  #present({ id, path, previous }: Origin, { line, originLine, count, isIgnored, isUnblamable }: Suspicion): BlameGroup {
    const group: BlameGroup = {
      commit: this.#source.oid(id),
      path,
      line: line + 1,
      originLine: originLine + 1,
      count,
      isBoundary: this.#source.parents(id).length === 0,
      isIgnored,
      isUnblamable,
    }
    if (previous !== undefined) group.previous = { commit: this.#source.oid(previous.id), path: previous.path }
    return group
  }
}

/** The lines that `changes` leave alone, as the older text numbers them, and the others. */
function split(suspicions: readonly Suspicion[], changes: readonly LineChange[]): { same: Suspicion[]; changed: Suspicion[] } {
  const same: Suspicion[] = []
  const changed: Suspicion[] = []
  let next = 0
  for (const suspicion of suspicions) {
    while (next > 0 && (changes[next - 1] as LineChange).newStart + (changes[next - 1] as LineChange).newCount > suspicion.originLine) next--
    const end = suspicion.originLine + suspicion.count
    for (let at = suspicion.originLine; at < end; ) {
      while (next < changes.length && (changes[next] as LineChange).newStart + (changes[next] as LineChange).newCount <= at) next++
      const change = changes[next]
      const isChanged = change !== undefined && change.newStart <= at
      const to = Math.min(end, change === undefined ? end : isChanged ? change.newStart + change.newCount : change.newStart)
      const part = { ...suspicion, line: suspicion.line + at - suspicion.originLine, originLine: at, count: to - at }
      if (isChanged) changed.push(part)
      else same.push({ ...part, originLine: at + shiftBefore(changes, next) })
      at = to
    }
  }
  return { same, changed }
}

/** How far the lines after change `next - 1` have moved up, from the newer text to the older. */
function shiftBefore(changes: readonly LineChange[], next: number): number {
  if (next === 0) return 0
  const { oldStart, oldCount, newStart, newCount } = changes[next - 1] as LineChange
  return oldStart + oldCount - newStart - newCount
}

function joined(suspicions: readonly Suspicion[]): Suspicion[] {
  const runs: Suspicion[] = []
  for (const next of suspicions) {
    const last = runs.at(-1)
    if (last !== undefined && continues(last, next)) last.count += next.count
    else runs.push({ ...next })
  }
  return runs
}

function continues(a: Suspicion, b: Suspicion): boolean {
  const isNext = a.line + a.count === b.line && a.originLine + a.count === b.originLine
  return isNext && a.isIgnored === b.isIgnored && a.isUnblamable === b.isUnblamable
}
