import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { TagDescription } from '#git/browse/describe-tag.ts'
import { TAGS } from '#git/refs/names.ts'
import type { Page } from '#kernel/page.ts'
import { listRefs, refPage } from '#repositories/refs/index.ts'
import type { TagRef } from './view.ts'

export interface DescribedTag {
  ref: TagRef
  description: TagDescription
}

/** Up to so many tags are listed newest first, which takes a look at each; more are listed by name. */
const MAX_DATED = 2000

/** One page of a repository's tags, and how many there are. */
export async function listTags(
  context: Pick<Context, 'db' | 'git'>,
  repo: RepoAccess,
  { offset, limit }: Page,
): Promise<{ tags: DescribedTag[]; total: number }> {
  const { rows, total } = await refPage(context.db, repo.row.id, TAGS, { offset, limit })
  if (total > MAX_DATED) return { tags: await describeTags(context, repo, rows), total }
  const all = await describeTags(context, repo, listRefs(context.db, repo.row.id, { prefix: TAGS }))
  const dateOf = ({ description }: DescribedTag) => description.who?.seconds ?? 0
  return { tags: all.sort((a, b) => dateOf(b) - dateOf(a)).slice(offset, offset + limit), total }
}

export async function describeTags(context: Pick<Context, 'git'>, repo: RepoAccess, refs: readonly TagRef[]): Promise<DescribedTag[]> {
  if (refs.length === 0) return []
  const descriptions = await context.git.run('describeTags', repo.row.id, { oids: refs.map((ref) => ref.oid) })
  return refs.map((ref, i) => ({ ref, description: descriptions[i] as TagDescription }))
}
