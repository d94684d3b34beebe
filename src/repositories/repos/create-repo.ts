import { Interests } from '#access/hooks.ts'
import { accessStore, anonymous, atLeast, permissionIn, type RepoRow, type UserRow, wikiIdOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { branchRef } from '#git/refs/names.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { Conflict, NotFound, Unprocessable } from '#kernel/errors.ts'
import { refuseLeaving } from '#people/leaving/index.ts'
import { setCollaboration } from '#repositories/collaborators/index.ts'
import { addLabelsOf, type LabelTemplate } from '#repositories/labels/index.ts'
import { checkRepoName } from './names.ts'
import { setAside } from './remove-directories.ts'
import { forkSettings } from './settings.ts'
import { countOwnedRepos, forgetRemoved, insertRepo } from './store.ts'
import { giveWay, noteUnfilled } from './unfilled.ts'

export interface NewRepository {
  owner: UserRow
  /** Who creates it; has been found allowed to create repositories for `owner`. */
  actor: UserRow
  name: string
  private: boolean
  description?: string
  template?: boolean
  /** Default: the setting `repository.DEFAULT_BRANCH`. */
  defaultBranch?: string
  trustModel?: string
  /** The repository that it is a fork of. */
  forkOf?: number
  /** The number that `awaitRepo` has kept for it. */
  id?: number
  /** Whether it is only to stay when its first content comes: see `noteUnfilled`. */
  awaitsContent?: boolean
  /** Labels to start with. */
  labels?: readonly LabelTemplate[]
}

/**
 * Creates an empty repository. Its directory, named by the row's id, is made before the row is durable: a crash
 * leaves at most a directory that belongs to nothing, which `sweepRemoved` or the next use of the id clears away.
 * @throws Unprocessable on a name that cannot be used and when the owner has as many as allowed; Conflict when the name is taken and
 * while the owner is being deleted; NotFound when the owner is gone
 */
export function createRepo(context: Context, asked: NewRepository): RepoRow {
  checkRepoName(asked.name)
  const defaultBranch = asked.defaultBranch || context.config.repository.DEFAULT_BRANCH
  branchRef(defaultBranch)
  return context.db.tx((tx) => {
    giveWay(context, tx, asked.owner, asked.name)
    refuseCreation(context, tx, asked)
    const made = insertRepo(tx, newRow(context, asked, defaultBranch))
    if (asked.id !== undefined) forgetRemoved(tx, made)
    if (asked.awaitsContent) noteUnfilled(context, tx, made, asked.actor.id)
    for (const id of [made, wikiIdOf(made)]) setAside(context, id)
    tx.onRollback(() => context.git.clear(made))
    context.git.create(made, defaultBranch, SHA1)
    furnish(context, tx, made, asked)
    return accessStore.findRepoById(tx, made) as RepoRow
  })
}

function refuseCreation(context: Pick<Context, 'config'>, tx: Tx, asked: NewRepository): void {
  if (!accessStore.findUserById(tx, asked.owner.id)) throw new NotFound()
  refuseLeaving(tx, asked.owner)
  refuseTakenRepo(tx, asked)
  refuseOverQuota(context, tx, asked)
}

/** What a new repository has from its first moment on. */
function furnish(context: Pick<Context, 'clock' | 'events' | 'config' | 'services'>, tx: Tx, id: number, asked: NewRepository): void {
  const now = context.clock.seconds()
  context.events.record(tx, {
    type: 'repository',
    action: 'created',
    actorId: asked.actor.id,
    repoId: id,
    fullName: `${asked.owner.name}/${asked.name}`,
    forkOf: asked.forkOf,
  })
  addLabelsOf(tx, asked.labels ?? [], id, now)
  if (context.config.service.AUTO_WATCH_NEW_REPOS) context.services.get(Interests).watching.begin(tx, asked.actor.id, id, now)
  keepCreator(tx, accessStore.findRepoById(tx, id) as RepoRow, asked)
}

/** Who creates a repository in an organization administers it, even when none of their teams does. */
function keepCreator(tx: Tx, repo: RepoRow, { owner, actor }: NewRepository): void {
  if (owner.kind !== 'organization') return
  const { level } = permissionIn(tx, { ...anonymous, user: actor }, repo, owner)
  if (!atLeast(level, 'admin')) setCollaboration(tx, repo.id, actor.id, 'admin')
}

function newRow(context: Pick<Context, 'clock'>, asked: NewRepository, defaultBranch: string) {
  return {
    ...(asked.id === undefined ? {} : { id: asked.id }),
    owner_id: asked.owner.id,
    name: asked.name,
    description: asked.description ?? '',
    default_branch: defaultBranch,
    trust_model: asked.trustModel ?? 'default',
    is_private: asked.private ? 1 : 0,
    is_template: asked.template ? 1 : 0,
    ...(asked.forkOf === undefined ? {} : { fork_of: asked.forkOf, settings: forkSettings }),
    created_at: context.clock.seconds(),
  }
}

function refuseTakenRepo(tx: Tx, asked: NewRepository): void {
  if (accessStore.findRepo(tx, asked.owner.id, asked.name)) throw new Conflict('The repository with the same name already exists.')
}

function refuseOverQuota(context: Pick<Context, 'config'>, tx: Tx, asked: NewRepository): void {
  const limit = findReachedLimit(context, tx, asked)
  if (limit !== undefined) throw new Unprocessable(`You have already reached your limit of ${limit} repositories.`)
}

/** How many repositories the owner may have, where that is how many there are; nothing limits site administrators. */
export function findReachedLimit({ config }: Pick<Context, 'config'>, db: Db, { owner, actor }: Record<'owner' | 'actor', UserRow>): number | undefined {
  if (actor.is_admin === 1) return undefined
  const limit = owner.max_repo_creation >= 0 ? owner.max_repo_creation : config.repository.MAX_CREATION_LIMIT
  return limit >= 0 && countOwnedRepos(db, owner.id) >= limit ? limit : undefined
}
