import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { patternsOf } from './find-rule.ts'

/** A file that differs between two commits and that patterns of a rule protect; found in a worker. Without `from`, all of `to` is new. */
export async function findProtectedFile(
  context: Pick<Context, 'git'>,
  repoId: number,
  patterns: string,
  from: Oid | undefined,
  to: Oid,
): Promise<string | undefined> {
  const forbidden = patternsOf(patterns)
  if (forbidden.length === 0) return undefined
  const question = { from, to, known: [], forbidden, free: [], signatures: false }
  const [answer] = await context.git.run('lookAtMoves', repoId, { packPaths: [], questions: [question] })
  return answer?.forbiddenFile
}
