import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  accessStore,
  atLeast,
  type Member,
  mayCreateRepoIn,
  permissionIn,
  type RepoAccess,
  type RepoRow,
  recheckAccount,
  refuseBlocked,
  type UserRow,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { publishPacks } from '#git/packs/write/publish.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { linkObjects } from '#git/store/link-objects.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Conflict, Forbidden, NotFound } from '#kernel/errors.ts'
import { type CopiedRefs, copyRefs, copyRefsAhead, discard, getState, hasOtherRefs, listRefs, quarantineName, tipsUnder } from '#repositories/refs/index.ts'
import { awaitRepo, createRepo, findReachedLimit, measureRepo } from '#repositories/repos/index.ts'
import { findForkOf } from './store.ts'

export interface AskedFork {
  viewer: Member
  base: RepoAccess
  owner: UserRow
  name: string
}

/** Pushes that may come in the way of one fork. */
const MAX_ROUNDS = 3
/** So many refs are not copied in one go. */
const MANY_REFS = 500

/**
 * Makes a fork: a repository of its own, with the branches and tags of another, and all that they reach. What else is stored there does
 * not come along, so that nobody reads by a fork what its own refs do not lead to. Where they reach everything, which is the rule, each
 * file of objects gets a second name, which takes milliseconds whatever its size; otherwise a pack of what they reach is made.
 * Neither repository ever needs the other again.
 * @throws Conflict when the owner has a fork of it or a repository of this name, and when pushes keep coming in the way; Forbidden when
 * they are blocked or may not create repositories there; NotFound when the repository is gone
 */
export async function forkRepo(context: Context, asked: AskedFork): Promise<RepoRow> {
  const base = asked.base.row.id
  // Upkeep takes nothing away meanwhile.
  const leave = await context.pushes.share(base)
  try {
    const fork = (await forkManyRefs(context, asked)) ?? ((sharesAll(context, base) && forkByLinks(context, asked)) || (await forkByCopy(context, asked)))
    await measureRepo(context, fork.id)
    return accessStore.findRepoById(context.db, fork.id) ?? fork
  } finally {
    leave()
  }
}

/**
 * With very many refs, these are written ahead while others go on. Undefined where there are few, where the fork cannot be made of links, and
 * when pushes keep coming in the way: then it is made as any other.
 */
async function forkManyRefs(context: Context, asked: AskedFork): Promise<RepoRow | undefined> {
  const base = asked.base.row.id
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!hasManyRefs(context, base) || !sharesAll(context, base)) return undefined
    if (isRefused(context, asked)) return undefined
    using coming = awaitRepo(context)
    const copied = await copyRefsAhead(context, base, coming.id)
    const { version, is_exact: exact } = getState(context.db, base)
    const isCurrent = version === copied.version && exact === 1
    if (isCurrent) return forkByLinks(context, asked, { id: coming.id, copied })
  }
  return undefined
}

function hasManyRefs({ db }: Pick<Context, 'db'>, repoId: number): boolean {
  return listRefs(db, repoId, { limit: MANY_REFS }).length === MANY_REFS
}

/** Nothing is written for what would be refused in the end. @throws as `requireForkable` */
function isRefused(context: Pick<Context, 'config' | 'db'>, asked: AskedFork): boolean {
  const { viewer, owner, name } = asked
  requireForkable(context.db, asked)
  const isTaken = accessStore.findRepo(context.db, owner.id, name) !== undefined
  return isTaken || findReachedLimit(context, context.db, { owner, actor: viewer.user }) !== undefined
}

/** Whether every object that is stored is reached from a branch or a tag. */
function sharesAll({ db }: Pick<Context, 'db'>, repoId: number): boolean {
  return getState(db, repoId).is_exact === 1 && !hasOtherRefs(db, repoId)
}

/** Undefined where the file system has no hard links. All at once: no push and no upkeep gets in between. */
function forkByLinks(context: Context, asked: AskedFork, ahead?: Ahead): RepoRow | undefined {
  return makeFork(context, asked, (fork) => linkObjects(context.git.pathOf(asked.base.row.id), context.git.pathOf(fork.id)), ahead)
}

async function forkByCopy(context: Context, asked: AskedFork): Promise<RepoRow> {
  const base = asked.base.row.id
  const { db, git } = context
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { version } = getState(db, base)
    const tips = await tipsUnder(db, base, HEADS, TAGS)
    const quarantine = join(git.pathOf(base), 'objects', quarantineName('fork'))
    mkdirSync(quarantine)
    try {
      const packs = await git.run('packReachable', base, { tips, quarantine })
      using coming = hasManyRefs(context, base) ? awaitRepo(context) : undefined
      const ahead = coming && { id: coming.id, copied: await copyRefsAhead(context, base, coming.id) }
      const publish = ({ id }: RepoRow) => {
        if (getState(db, base).version !== version) return false
        publishPacks(packs, join(git.pathOf(id), 'objects', 'pack'))
        return true
      }
      const fork = makeFork(context, asked, publish, ahead)
      if (fork) return fork
    } finally {
      await discard(context, quarantine)
    }
  }
  throw new Conflict('Cannot fork the repository because pushes keep changing it. Try again later.')
}

/** What was written for a fork before it is there. */
interface Ahead {
  id: number
  copied: CopiedRefs
}

/** @param fill brings the objects; answers false when they cannot be had this way, which undoes all */
function makeFork(context: Context, asked: AskedFork, fill: (fork: RepoRow) => boolean, ahead?: Ahead): RepoRow | undefined {
  using coming = ahead || isRefused(context, asked) ? undefined : awaitRepo(context)
  try {
    return context.db.tx((tx) => {
      const fork = insertFork(context, tx, asked, ahead?.id ?? coming?.id)
      if (!fill(fork)) throw new NotFilled()
      copyRefs(context, tx, asked.base.row.id, fork.id, ahead?.copied)
      return accessStore.findRepoById(tx, fork.id) as RepoRow
    })
  } catch (error) {
    if (error instanceof NotFilled) return undefined
    throw error
  }
}

class NotFilled extends Error {}

/** Rights are asked on rows read in the transaction: what the fork shows is what its maker may see at that moment. */
function insertFork(context: Context, tx: Tx, asked: AskedFork, id?: number): RepoRow {
  const { viewer, owner, name } = asked
  const { base, baseOwner } = requireForkable(tx, asked)
  return createRepo(context, {
    owner,
    actor: viewer.user,
    name,
    private: base.is_private === 1 || baseOwner.visibility !== 'public',
    description: base.description,
    defaultBranch: base.default_branch,
    forkOf: base.id,
    id,
  })
}

/** @throws Unauthorized, NotFound, Forbidden, Conflict */
function requireForkable(db: Db, { viewer, base: seen, owner }: AskedFork): { base: RepoRow; baseOwner: UserRow } {
  recheckAccount(db, viewer.user)
  const base = accessStore.findRepoById(db, seen.row.id)
  const baseOwner = base && accessStore.findUserById(db, base.owner_id)
  if (!base || !baseOwner || !atLeast(permissionIn(db, viewer, base, baseOwner).of('code'), 'read')) throw new NotFound()
  refuseBlocked(db, base.owner_id, viewer.user.id)
  if (!mayCreateRepoIn(db, viewer.user, owner)) throw new Forbidden('User is not allowed to create repositories in this organization.')
  const known = findForkOf(db, base.id, owner.id)
  if (known)
    throw new Conflict(
      `repository is already forked by user [uname: ${owner.name}, repo path: ${baseOwner.name}/${base.name}, fork path: ${owner.name}/${known.name}]`,
    )
  return { base, baseOwner }
}
