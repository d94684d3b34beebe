import { decorate, KeptPages, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS, TAGS } from '#git/refs/names.ts'
import { doneWithin } from '#kernel/wait-at-most.ts'
import { listBranches, listRefs } from '#repositories/refs/index.ts'

/** Branches and tags that have a commit in their history. */
export interface ContainingRefs {
  branches: string[]
  tags: string[]
  /** Whether there may be more. */
  isCut: boolean
}

/** Of each kind so many are asked, and so many named. */
const MOST_ASKED = 100
const MOST_NAMED = 10
/** Milliseconds. */
const SOON = 200

/** Those of the newest branches, and of the tags, that are found soon. */
export async function findContainingRefs(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, { row }: RepoAccess, oid: Oid): Promise<ContainingRefs> {
  const branches = listBranches(context.db, row.id, { limit: MOST_ASKED + 1 })
  const tags = listRefs(context.db, row.id, { prefix: TAGS, limit: MOST_ASKED + 1 })
  const asked = [...branches.slice(0, MOST_ASKED), ...tags.slice(0, MOST_ASKED)]
  const tips = asked.map((ref) => ref.peeled ?? ref.oid)
  const work = decorate(context, 'branches and tags of a commit', () => context.git.run('containing', row.id, { tips, oid, milliseconds: SOON }), [])
  const found = await doneWithin(work, 2 * SOON, [])
  const isLate = found.length < tips.length || found.includes(undefined)
  if (isLate) context.services.get(KeptPages).leaveOut()
  const names = (prefix: string) => asked.flatMap(({ name }, i) => (found[i] === true && name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  const [inBranches, inTags] = [names(HEADS), names(TAGS)]
  const isCut = isLate || branches.length > MOST_ASKED || tags.length > MOST_ASKED || inBranches.length > MOST_NAMED || inTags.length > MOST_NAMED
  return { branches: inBranches.slice(0, MOST_NAMED), tags: inTags.slice(0, MOST_NAMED), isCut }
}
