import { accessStore, anonymous, atLeast, findStoreById, isWikiId, permissionIn, type RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { branchName, conflictsWith, faultOfPushedName, HEADS, lookupIn, type RefName } from '#git/refs/names.ts'
import { type Acting, writeActing } from '#kernel/acting.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { scheduleDerived } from './derived.ts'
import type { RefChange } from './events.ts'
import { loseTips } from './exactness-store.ts'
import { RefHooks } from './hooks.ts'
import type { RefGuard } from './ref-guard.ts'
import { type GuardFacts, type JudgedMove, type RefJudge, Unprepared } from './ref-guard.ts'
import { deletesNothing, REFUSED_WITH_OTHERS, type RefResult, type RefUpdate } from './ref-update.ts'
import { reservedReason } from './reserved-names.ts'
import { followChanges } from './snapshot.ts'
import { finishStaged, isForced, type StagedRefs, type StagedUpdate } from './stage-refs.ts'
import { StagedNames } from './staged-names.ts'
import {
  adoptDefaultBranch,
  bumpState,
  deleteBatch,
  findRef,
  getState,
  insertReflog,
  listRefs,
  putRef,
  refLookup,
  removeRef,
  setWikiBranch,
  touchRepo,
} from './store.ts'

/** Judges one update on the rows as they are in the transaction that moves the ref; answers why not, or undefined. Each is judged by itself. */
export interface RefPolicy {
  (tx: Tx, repo: RepoRow, update: RefUpdate): string | undefined
  /** As that of a `RefJudge`. */
  basis?: (tx: Tx, repo: RepoRow) => string | undefined
}

/** What was written ahead does no longer fit what the refs are, or what may be done to them: it must be written again. */
export class StaleStage extends Error {
  constructor() {
    super('The refs changed during the push. Push again.')
  }
}

/** A push of very many refs tells of so many of them. */
const MOST_TOLD = 500

export interface RefUpdates {
  repoId: number
  actorId: number
  /** For the reflog. */
  message: string
  updates: readonly RefUpdate[]
  /** All or none. */
  atomic?: boolean
  /** What every update must pass besides the rules of refs and the standing policies. */
  policies?: readonly RefPolicy[]
  /** Objects were stored that no updated ref reaches. */
  leavesUnreachable?: boolean
  /** The same updates, written ahead. @throws StaleStage */
  staged?: StagedRefs
  /** What a repository begins with is announced as its creation, not as a push, as in Gitea. */
  isBeginning?: boolean
  /** The server moves refs of its own, which nobody is told of. */
  isOwn?: boolean
  /** Branches that move by a merge, which was judged as one in this transaction. */
  merges?: readonly string[]
  /** Who merges passes over what they may of what rules ask of merges. */
  isOverride?: boolean
  /** One ref that is deleted and made anew under another name, as far as who follows it cares. */
  rename?: { from: string; to: string }
  /** Branches are deleted because they were merged into this one. */
  mergedInto?: string
  /** It is done with a deploy key, and `actorId` is whom that stands for. */
  byDeployKey?: boolean
  /** The accounts whose rights commit messages use in other repositories; all of them must have the right. Absent: the messages act in this repository only. */
  acting?: readonly Acting[] | undefined
  /** What the standing policies found out before the transaction. */
  facts?: GuardFacts
}

/**
 * Changes refs by compare-and-swap in the caller's transaction: policies asked, names checked, directory/file conflicts refused,
 * reflog and push event written. Deletions go first, so that `a` can make room for `a/b` in one call.
 * With `atomic`, one refusal refuses all and nothing changes. @throws NotFound when the repository is gone
 */
export function updateRefs(context: Context, tx: Tx, request: RefUpdates): RefResult[] {
  const repo = findStoreById(tx, request.repoId)
  if (!repo) throw new NotFound()
  const judge = policiesOf(context, tx, repo, request)
  if (request.staged) return revealOrRefuse(context, tx, repo, request, request.staged, judge)
  const results = judgeAll(tx, repo, request, judge)
  if (request.atomic && [...results.values()].some((result) => !result.ok))
    return request.updates.map((update) => refusedWithOthers(results.get(update.name), update.name))
  const accepted = request.updates.filter((update) => isChange(results.get(update.name)))
  const losesNothing = !request.leavesUnreachable && results.values().every((result) => result.ok)
  if (accepted.length > 0) apply(context, tx, repo, request, accepted, losesNothing)
  return request.updates.map((update) => results.get(update.name) as RefResult)
}

function isChange(result: RefResult | undefined): boolean {
  return result?.ok === true && !result.wasAbsent
}

/** By name. What a policy refuses is as if it were not asked for: it makes no room and takes none. */
function judgeAll(tx: Tx, repo: RepoRow, { updates }: RefUpdates, refusalOf: RefJudge): Map<string, RefResult> {
  const results = new Map<string, RefResult>()
  for (const update of updates) {
    const refusal = refusalOf(update)
    if (refusal === undefined) continue
    const why = typeof refusal === 'string' ? { reason: refusal } : refusal
    results.set(update.name, { name: update.name, ok: false, ...why, isForbidden: true })
  }
  const allowed = updates.filter((update) => !results.has(update.name))
  const judge = judgeOf(tx, repo.id, allowed)
  for (const update of allowed) {
    const { name } = update
    const now = findRef(tx, repo.id, name)?.oid ?? SHA1.zero
    const reason = results.has(name) ? 'multiple updates for one ref are not allowed' : judge(update, now)
    results.set(name, reason === undefined ? { name, ok: true, ...(deletesNothing(update, now) && { wasAbsent: true }) } : { name, ok: false, reason })
  }
  return results
}

const ownNames: RefJudge = Object.assign((update: RefUpdate) => reservedReason(update), { basis: () => '' })

/** Why an update is refused, whatever the refs are by now: the caller's policies, and those of the rooms that guard all refs; of the server's own refs the caller's alone. */
export function policiesOf(context: Context, tx: Tx, repo: RepoRow, request: RefUpdates): RefJudge {
  const judges = (request.policies ?? []).map((policy): RefJudge => {
    const { basis } = policy
    return Object.assign((update: RefUpdate) => policy(tx, repo, update), basis && { basis: () => basis(tx, repo) })
  })
  if (!request.isOwn) {
    judges.unshift(ownNames)
    const move = { ...request, rights: () => rightsOf(tx, repo, request.actorId), tipOf: (name: string) => findRef(tx, repo.id, name)?.oid, askAgain }
    for (const { judge } of guardsOf(context, repo)) if (judge) judges.push(judge(context, tx, repo, move))
  }
  const refusalOf = (update: RefUpdate) => {
    for (const judge of judges) {
      const refusal = judge(update)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
  return Object.assign(refusalOf, { basis: () => joined(judges.map((judge) => judge.basis?.())) })
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : JSON.stringify(parts)
}

function rightsOf(db: Db, repo: RepoRow, userId: number): ReturnType<JudgedMove['rights']> {
  const owner = accessStore.findUserById(db, repo.owner_id)
  const user = accessStore.findUserById(db, userId)
  if (!owner || !user) return { canWrite: false, isAdmin: false }
  const permission = permissionIn(db, { ...anonymous, user }, repo, owner)
  return { canWrite: atLeast(permission.of('code'), 'write'), isAdmin: atLeast(permission.level, 'admin') }
}

function askAgain(): never {
  throw new Unprepared()
}

function refusedWithOthers(result: RefResult | undefined, name: string): RefResult {
  return result && !result.ok ? result : { name, ok: false, reason: REFUSED_WITH_OTHERS }
}

/** Judges one update at a time against the rows, and against what its siblings delete and create. */
function judgeOf(tx: Tx, repoId: number, updates: readonly RefUpdate[]): (update: RefUpdate, now: Oid) => string | undefined {
  const existing = refLookup(tx, repoId)
  const gone = new Set(updates.filter((update) => update.new === SHA1.zero).map((update) => update.name))
  const made = lookupIn(
    updates
      .filter((update) => update.new !== SHA1.zero)
      .map((update) => update.name)
      .sort(),
  )
  const staying = {
    has: (name: string) => !gone.has(name) && existing.has(name),
    findUnder: (prefix: string) => listRefs(tx, repoId, { prefix, limit: gone.size + 1 }).find((row) => !gone.has(row.name))?.name,
  }
  return (update, now) => {
    const isDeletion = update.new === SHA1.zero
    const fault = faultOfPushedName(update.name)
    if (fault !== undefined) return isDeletion && now !== SHA1.zero ? undefined : fault
    if (update.old !== undefined && update.old !== now)
      return now === SHA1.zero ? 'reference no longer exists' : `reference was already updated to ${now.slice(0, 10)}`
    if (isDeletion) return undefined
    const name = update.name as RefName
    const conflict = (now === SHA1.zero ? conflictsWith(name, staying) : undefined) ?? conflictsWith(name, made)
    return conflict === undefined ? undefined : `directory/file conflict with ${conflict}`
  }
}

function apply(context: Context, tx: Tx, repo: RepoRow, request: RefUpdates, accepted: readonly RefUpdate[], losesNothing: boolean): void {
  const { repoId, actorId, message, acting } = request
  const now = context.clock.seconds()
  const changes: RefChange[] = []
  const ordered = accepted.toSorted((a, b) => Number(b.new === SHA1.zero) - Number(a.new === SHA1.zero))
  for (const update of ordered) {
    const before = findRef(tx, repoId, update.name)?.oid ?? SHA1.zero
    putOrRemove(tx, repoId, update)
    const move = { repo_id: repoId, name: update.name, old_oid: before, new_oid: update.new, actor_id: actorId, message, created_at: now }
    insertReflog(tx, { ...move, acting: writeActing(acting) })
    const kept = before === SHA1.zero || update.fastForward === true || before === update.new
    changes.push({ name: update.name, before, after: update.new, forced: !kept && update.new !== SHA1.zero })
  }
  const lost = changes.flatMap(({ before, after, forced }) => (forced || after === SHA1.zero ? [before as Oid] : []))
  bumpState(tx, repoId, losesNothing ? lost : undefined)
  settleRepo(tx, repo, ordered, branchesGained(changes), now)
  if (isTold(repo, request)) context.events.record(tx, { type: 'push', actorId, repoId, changes, ...(acting && { acting }) })
  const own = request.isOwn ? [] : guardsOf(context, repo).flatMap((guard) => guard.follow?.(context, tx, repo, changes, request) ?? [])
  moveAlong(tx, repoId, own)
  announce(context, tx, repoId, [...ordered, ...own])
}

/** Moves refs of the server's own that follow others. */
function moveAlong(tx: Tx, repoId: number, own: readonly RefUpdate[]): void {
  const lost = own.flatMap(({ name, fastForward }) => (fastForward ? [] : (findRef(tx, repoId, name)?.oid ?? [])))
  loseTips(tx, repoId, lost)
  for (const update of own) putOrRemove(tx, repoId, update)
}

function putOrRemove(tx: Tx, repoId: number, { name, new: oid, peeled, time }: RefUpdate): void {
  if (oid === SHA1.zero) removeRef(tx, repoId, name)
  else putRef(tx, { repo_id: repoId, name, oid, peeled: peeled ?? null, time: time ?? null })
}

/** Makes refs visible that were written ahead, which costs the same however many they are, but for what is said of them. */
function revealOrRefuse(context: Context, tx: Tx, repo: RepoRow, request: RefUpdates, staged: StagedRefs, refusalOf: RefJudge): RefResult[] {
  if (staged.names.isStale || getState(tx, repo.id).version !== staged.names.version) throw new StaleStage()
  const isJudged = staged.basis !== undefined && staged.basis === refusalOf.basis?.()
  if (!isJudged && staged.updates.some((update) => refusalOf(update) !== undefined)) throw new StaleStage()
  if (request.atomic && staged.refused.size > 0) return staged.results.refused
  if (staged.updates.length > 0) reveal(context, tx, repo, request, staged)
  return staged.results.done
}

function reveal(context: Context, tx: Tx, repo: RepoRow, request: RefUpdates, staged: StagedRefs): void {
  const { actorId, message, acting } = request
  const { updates } = staged
  const now = context.clock.seconds()
  deleteBatch(tx, staged.batch)
  bumpState(tx, repo.id, staged.losesNothing && staged.refused.size === 0 && !request.leavesUnreachable ? [] : undefined)
  settleRepo(tx, repo, updates, staged.branches, now)
  if (isTold(repo, request)) {
    const changes = updates.slice(0, MOST_TOLD).map(changeOf)
    context.events.record(tx, { type: 'push', actorId, repoId: repo.id, changes, ...(acting && { acting }) })
  }
  moveAlong(tx, repo.id, followStaged(context, tx, repo, request, staged))
  tx.onCommit(() => staged.names.end(context, repo.id))
  announce(context, tx, repo.id, undefined)
  tx.onCommit(() => void context.tasks.start('finish refs that were written ahead', () => finishStaged(context, staged, { actorId, message, acting, at: now })))
}

/** Of very many refs only those are looked at that somebody follows. */
function followStaged(context: Context, tx: Tx, repo: RepoRow, request: RefUpdates, { updates, names }: StagedRefs): RefUpdate[] {
  return guardsOf(context, repo).flatMap((guard) => {
    if (!guard.follow) return []
    const followed = guard.followed?.(tx, repo)
    if (followed && !followed.values().some((name) => names.has(name))) return []
    const changes = updates.filter(({ name }) => followed?.has(name) ?? true).map(changeOf)
    return guard.follow(context, tx, repo, changes, request)
  })
}

function changeOf(update: StagedUpdate): RefChange {
  return { name: update.name, before: update.before, after: update.new, forced: isForced(update) }
}

/** Once it is committed, what is derived from the rows follows; without `updates` it is made anew. */
function announce(context: Context, tx: Tx, repoId: number, updates: readonly RefUpdate[] | undefined): void {
  const { version } = getState(tx, repoId)
  const changed = updates?.map(({ name, new: oid, peeled }) => ({ name, now: oid === SHA1.zero ? undefined : { name, oid, ...(peeled && { peeled }) } }))
  tx.onCommit(() => {
    StagedNames.tell(context, repoId, version, changed)
    followChanges(context, repoId, version, changed)
    scheduleDerived(context, repoId, changed)
  })
}

/** The default branch has changed in `tx`: readers of refs, and HEAD on disk, follow. */
export function moveHead(context: Context, tx: Tx, repoId: number): void {
  bumpState(tx, repoId, [])
  announce(context, tx, repoId, [])
}

/** A wiki's branches are nobody's pull requests, and no rule of the repository's protects them. */
function guardsOf({ services }: Pick<Context, 'services'>, repo: RepoRow): readonly RefGuard<Context>[] {
  return isWikiId(repo.id) ? [] : services.get(RefHooks).guards
}

/** Changed pages are told as such. */
function isTold(repo: RepoRow, { isBeginning, isOwn }: RefUpdates): boolean {
  return !isBeginning && !isOwn && !isWikiId(repo.id)
}

function settleRepo(tx: Tx, repo: RepoRow, updates: readonly RefUpdate[], branches: number, now: number): void {
  if (isWikiId(repo.id)) return settleWiki(tx, repo, updates)
  const branch = repo.is_empty === 1 ? firstBranch(tx, repo, updates) : undefined
  if (branch !== undefined) adoptDefaultBranch(tx, repo, branch)
  touchRepo(tx, repo.id, branches, now)
}

/** From its first ref on there is a wiki; it is read from a branch that is there, if any is. */
function settleWiki(tx: Tx, repo: RepoRow, updates: readonly RefUpdate[]): void {
  const branch = firstBranch(tx, repo, updates)
  if (branch !== undefined || repo.is_empty === 1) setWikiBranch(tx, repo.id, branch ?? repo.default_branch)
}

function branchesGained(changes: readonly RefChange[]): number {
  const branches = changes.filter(({ name }) => name.startsWith(HEADS))
  return branches.reduce((sum, { before, after }) => sum + Number(before === SHA1.zero) - Number(after === SHA1.zero), 0)
}

function firstBranch(tx: Tx, repo: RepoRow, updates: readonly RefUpdate[]): string | undefined {
  return findRef(tx, repo.id, HEADS + repo.default_branch) ? undefined : firstBranchOf(updates)
}

const usual = ['main', 'master', 'trunk']
const LONGEST_USUAL = HEADS.length + 'master'.length

/** Which of new branches a repository is best read from: one of a usual name, else the first. */
export function firstBranchOf(updates: readonly RefUpdate[]): string | undefined {
  let [best, first] = [usual.length, undefined as string | undefined]
  for (const { name, new: oid } of updates) {
    // There may be a hundred thousand.
    if (oid === SHA1.zero || !name.startsWith(HEADS)) continue
    first ??= branchName(name as RefName)
    if (name.length > LONGEST_USUAL) continue
    const place = usual.indexOf(name.slice(HEADS.length))
    if (place >= 0) best = Math.min(best, place)
  }
  return usual[best] ?? first
}
