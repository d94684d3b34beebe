import { Recent } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { patternsOf } from './find-rule.ts'

/** By what was compared and the patterns; '' where no file is like that. */
class ProtectedFiles extends Recent<string> {
  constructor() {
    super(1_000_000, (path) => 100 + path.length)
  }
}

/** A file that differs between two commits and that patterns of a rule protect; found in a worker, once. Without `from`, all of `to` is new. */
export async function findProtectedFile(
  context: Pick<Context, 'git' | 'services'>,
  repoId: number,
  patterns: string,
  from: Oid | undefined,
  to: Oid,
): Promise<string | undefined> {
  const forbidden = patternsOf(patterns)
  if (forbidden.length === 0) return undefined
  const key = `${repoId} ${from} ${to} ${Bun.SHA256.hash(forbidden.join('\0'), 'hex')}`
  const found = await context.services.get(ProtectedFiles).answer(key, async () => {
    const question = { from, to, known: [], forbidden, free: [], signatures: false }
    const [answer] = await context.git.run('lookAtMoves', repoId, { packPaths: [], questions: [question] })
    return answer?.forbiddenFile ?? ''
  })
  return found === '' ? undefined : found
}
