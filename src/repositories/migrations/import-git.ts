import type { RepoRow, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { fetchPack } from '#git/client/fetch-pack.ts'
import type { RemoteRefs } from '#git/client/remote-refs.ts'
import type { GitTransport } from '#git/client/transport.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { faultOfPushedName } from '#git/refs/names.ts'
import type { ReceiveOutput } from '#git/workers/stream-tasks.ts'
import type { Tx } from '#kernel/db.ts'
import { type ObjectWriting, writeObjects } from '#repositories/refs/index.ts'

export interface GitImport {
  repo: RepoRow
  actor: UserRow
  transport: GitTransport
  remote: RemoteRefs
  /** Called in the transaction that creates the refs. */
  onLanded(tx: Tx): void
}

/**
 * Fetches the branches and tags of another repository into an empty one. The objects are checked as those of a push are; refs whose names we do not
 * accept stay away.
 * @throws GitError, Unreachable; nothing is stored then
 */
export async function importGit(context: Context, { repo, actor, transport, remote, onLanded }: GitImport): Promise<void> {
  const refs = remote.refs.filter(({ name }) => faultOfPushedName(name) === undefined)
  await writeObjects(context, repo.id, async (writing) => {
    if (refs.length > 0) await fetchObjects(context, repo, writing, { transport, remote, tips: [...new Set(refs.map(({ oid }) => oid))] })
    const updates = refs.map(({ name, oid }) => ({ name, new: oid, old: SHA1.zero }))
    const request = { actorId: actor.id, message: 'import', updates }
    await writing.stage(request)
    await writing.landPrepared(request, (tx, move) => {
      if (updates.length > 0) move(request)
      onLanded(tx)
    })
  })
}

type Fetching = Pick<GitImport, 'transport' | 'remote'> & { tips: RemoteRefs['refs'][number]['oid'][] }

async function fetchObjects(context: Context, repo: RepoRow, writing: ObjectWriting, { transport, remote, tips }: Fetching): Promise<void> {
  const pack = await fetchPack(transport, remote, { wants: tips, haves: [] })
  const place = { path: context.git.pathOf(repo.id), limits: context.git.limits }
  const call = context.git.pool.stream('receive', place, { quarantine: writing.quarantine, tips, moved: [] })
  const received: Promise<ReceiveOutput> = call.result
  let hasFailed = false
  received.catch(() => {
    hasFailed = true
  })
  try {
    for await (const bytes of pack) {
      if (hasFailed) break
      await call.write(bytes)
    }
    call.end()
  } catch (error) {
    call.abort()
    throw error
  }
  const { packPath, objects, tips: peeled, closed } = (await received).pack
  writing.take({ packPath: objects > 0 ? packPath : undefined, tips: peeled, isClosed: closed })
}
