import { KeptPages, unlessLost } from '#access/index.ts'
import { diffLimits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import { waitAtMost } from '#kernel/wait-at-most.ts'
import { commonOf } from './facts.ts'
import type { PullRow } from './store.ts'

/** How much a pull request changes; nothing where counting it would be too much work. */
export interface ChangeCounts {
  commits?: number
  files?: number
}

/** A page waits no longer for it, in milliseconds. */
const SOON_MS = 150

/** Objects never change, so no count is ever stale. */
class KnownCounts extends KeptWork<ChangeCounts> {
  constructor() {
    super(
      10_000,
      () => 1,
      ({ commits }) => commits !== undefined,
    )
  }
}

/** What the lists of its commits and files count, as far as it is known or found out soon. @param base where its base is; undefined when it is gone */
export async function countChangesSoon(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  pull: Pick<PullRow, 'repo_id' | 'merge_base' | 'head_oid'>,
  base: Oid | undefined,
): Promise<ChangeCounts> {
  const known = context.services.get(KnownCounts)
  const key = `${pull.repo_id} ${pull.merge_base ?? base} ${pull.head_oid}`
  await waitAtMost(
    known.answer(key, () => count(context, pull, base)),
    SOON_MS,
  )
  const found = known.find(key)
  if (!found) context.services.get(KeptPages).leaveOut()
  return found ?? {}
}

function count(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  { repo_id: repoId, merge_base, head_oid: to }: Pick<PullRow, 'repo_id' | 'merge_base' | 'head_oid'>,
  base: Oid | undefined,
): Promise<ChangeCounts> {
  const find = async (): Promise<ChangeCounts> => {
    const from = merge_base ?? (base && (await commonOf(context, repoId, base, to)))
    const [commits, files] = await Promise.all([
      context.git.run('countCommits', repoId, { range: { include: [to], exclude: from === undefined ? [] : [from] } }),
      context.git.run('diffFiles', repoId, { from, to, options: { ...diffLimits(context), limit: 0 } }),
    ])
    return { commits, files: files.count }
  }
  return unlessLost(context, repoId, find, {})
}
