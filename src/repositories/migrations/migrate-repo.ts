import {
  accessStore,
  isSiteAdmin,
  type Member,
  mayCreateRepoIn,
  type RepoRow,
  recheckAccount,
  refuseHiding,
  refuseMaking,
  type UserRow,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { listRemoteRefs, type RefLimits, type RemoteRefs } from '#git/client/remote-refs.ts'
import { AuthenticationRequired } from '#git/client/response.ts'
import { GitError } from '#git/errors.ts'
import { HEADS, isRefName } from '#git/refs/names.ts'
import { inAnyCase } from '#kernel/askers.ts'
import { Conflict, Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { allowedTargets, Unreachable } from '#outbound/network/index.ts'
import { checkRepoName, createRepo, measureRepo, noteFilled, undoUnfilled } from '#repositories/repos/index.ts'
import { expectUpkeep } from '#repositories/upkeep/index.ts'
import { parseCloneSource } from './clone-address.ts'
import { importGit } from './import-git.ts'
import { transportTo } from './remote.ts'
import type { MigrateRepoForm } from './schema.ts'

const REF_LIMITS: RefLimits = { maxRefs: 100_000, maxBytes: 32 * 1024 * 1024 }

/**
 * Imports a repository from another git server, within the request, and to its end even if the client disconnects. If the import fails, the repository
 * is deleted again; the next start deletes what a crash leaves.
 * @throws Forbidden, Unprocessable and Conflict with Gitea's messages
 */
export async function migrateRepo(context: Context, viewer: Member, asked: MigrateRepoForm): Promise<RepoRow> {
  if (context.config.repository.DISABLE_MIGRATIONS) throw new Forbidden('The site administrator has disabled migrations.')
  if (asked.mirror) throw new Unprocessable('This version does not support mirrors. Set mirror to false to import the repository once.')
  const owner = requireOwner(context, viewer, asked)
  const { migrations, server } = context.config
  const policy = allowedTargets(migrations.ALLOWED_HOST_LIST, server, isSiteAdmin(viewer))
  const credentials = { username: asked.auth_username, password: asked.auth_password, token: asked.auth_token }
  const source = parseCloneSource(asked.clone_addr, credentials, policy)
  refuseHiding(viewer, asked.private === true)
  refuseMaking(viewer)
  checkRepoName(asked.repo_name)
  if (accessStore.findRepo(context.db, owner.id, asked.repo_name)) throw new Conflict('The repository with the same name already exists.')
  return inAnyCase(async () => {
    const transport = transportTo(context, source, policy)
    try {
      const remote = await listRemoteRefs(transport, REF_LIMITS)
      return await importInto(context, viewer, { asked, owner, transport, remote })
    } catch (error) {
      throw migrationError(error)
    }
  })
}

/** `repo_owner` before `uid` before the signed-in user. */
function requireOwner({ db }: Pick<Context, 'db'>, viewer: Member, { repo_owner: name, uid }: MigrateRepoForm): UserRow {
  const named = name ? accessStore.findUserByName(db, name) : uid ? accessStore.findUserById(db, uid) : viewer.user
  if (!named) throw new Unprocessable(`The owner ${name || uid} does not exist.`)
  if (named.id === viewer.user.id || isSiteAdmin(viewer)) return named
  if (named.kind !== 'organization') throw new Forbidden('Given user is not an organization.')
  if (!mayCreateRepoIn(db, viewer.user, named)) throw new Forbidden('Given user is not owner of organization.')
  return named
}

interface Import {
  asked: MigrateRepoForm
  owner: UserRow
  transport: ReturnType<typeof transportTo>
  remote: RemoteRefs
}

async function importInto(context: Context, { user: actor }: Member, { asked, owner, transport, remote }: Import): Promise<RepoRow> {
  recheckAccount(context.db, actor)
  const repo = createRepo(context, {
    owner,
    actor,
    name: asked.repo_name,
    private: asked.private ?? context.config.repository.DEFAULT_PRIVATE === 'private',
    description: asked.description ?? '',
    defaultBranch: defaultBranchOf(remote),
    awaitsContent: true,
  })
  try {
    await importGit(context, { repo, actor, transport, remote, onLanded: (tx) => noteFilled(context, tx, repo.id) })
  } catch (error) {
    if (accessStore.findRepoById(context.db, repo.id)) undoUnfilled(context, { actor, owner, repo })
    throw error
  }
  expectUpkeep(context, repo.id)
  await measureRepo(context, repo.id)
  const imported = accessStore.findRepoById(context.db, repo.id)
  if (!imported) throw new NotFound()
  return imported
}

/** The branch that the remote HEAD points to, if it exists; else the first branch; else our default. */
function defaultBranchOf({ head, refs }: RemoteRefs): string | undefined {
  const branches = refs.flatMap(({ name }) => (name.startsWith(HEADS) && isRefName(name) ? name : []))
  const ref = branches.find((name) => name === head) ?? branches[0]
  return ref?.slice(HEADS.length)
}

/** Gitea's statuses and messages for what goes wrong on the other side. */
function migrationError(error: unknown): unknown {
  if (error instanceof AuthenticationRequired) return new Unprocessable(`Authentication failed: ${error.message}.`, { cause: error })
  if (error instanceof GitError || error instanceof Unreachable) return new Unprocessable(`Migration failed: ${error.message}`, { cause: error })
  return error
}
