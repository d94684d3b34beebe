import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import { getCommitRevision } from './revisions.ts'

/** Each step back is one commit read. */
const MAX_STEPS = 200

/**
 * The commit that somebody types a name of: that of a branch or tag, `HEAD` or `@`, and from there `~3` or `^2`, as often as they like.
 * Source: `Documentation/revisions.txt`. Undefined where there is none.
 */
export async function findNamedCommit(context: Pick<Context, 'db' | 'git'>, repo: RepoRow, text: string): Promise<Oid | undefined> {
  const [, name = '', ways = ''] = /^([^~^]+)((?:[~^]\d{0,4})*)$/.exec(text) ?? []
  try {
    let at: Oid | undefined = name === '' ? undefined : (await getCommitRevision(context, repo, name === '@' ? 'HEAD' : name)).oid
    let left = MAX_STEPS
    for (const [, sign, digits] of ways.matchAll(/([~^])(\d*)/g)) {
      const count = digits === '' ? 1 : Number(digits)
      const steps = sign === '~' ? Array.from({ length: Math.min(count, MAX_STEPS) }, () => 1) : count === 0 ? [] : [count]
      left -= steps.length
      if (count > MAX_STEPS || left < 0) return undefined
      for (const nth of steps) at = at && (await context.git.look('links', repo.id, { oid: at })).parents[nth - 1]
    }
    return at
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}
