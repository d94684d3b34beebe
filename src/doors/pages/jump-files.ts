import { atLeast, decorate, KeptPages, type RepoAccess } from '#access/index.ts'
import { findDefaultPlace } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { waitAtMost } from '#kernel/wait-at-most.ts'

/** Who types on waits for no large tree that is looked through for the first time; the page on which files are found does. In milliseconds. */
const SOON = 150
const MOST_FILES = 5

/** Files of the default branch with these letters in their paths, as far as that is known soon. */
export async function findFilesSoon(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, repo: RepoAccess, letters: string): Promise<string[]> {
  const place = atLeast(repo.permission.of('code'), 'read') ? findDefaultPlace(context, repo) : undefined
  if (!place || letters.length < 2) return []
  let paths: string[] | undefined
  const finding = findFiles(context, repo, place.commit, letters).then((found) => {
    paths = found
  })
  await waitAtMost(finding, SOON)
  if (paths === undefined) context.services.get(KeptPages).leaveOut()
  return paths ?? []
}

/** Of a damaged repository none: other places are found all the same. */
function findFiles(context: Pick<Context, 'git' | 'log' | 'services'>, { row: { id } }: RepoAccess, commit: Oid, query: string): Promise<string[]> {
  const { git } = context
  const find = async () => {
    const { tree } = await git.look('links', id, { oid: commit })
    return (await git.run('findPaths', id, { tree, query, limit: MOST_FILES })).paths
  }
  return decorate(context, 'files of the jump box', find, [])
}
