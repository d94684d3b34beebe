import type { RepoAccess } from '#access/index.ts'
import { identTime, zeroTime } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { TagDescription } from '#git/browse/describe-tag.ts'
import { TAGS } from '#git/refs/names.ts'
import { encodePath } from '#kernel/http.ts'
import type { RefRow } from '#repositories/refs/index.ts'
import { repoApiUrl, repoUrl } from '#repositories/repos/index.ts'
import type { Tag } from './schema.ts'

export type TagRef = Pick<RefRow, 'name' | 'oid' | 'peeled'>

export function presentTag(context: Pick<Context, 'rootUrl'>, { owner, row }: RepoAccess, ref: TagRef, { message, who }: TagDescription): Tag {
  const name = ref.name.slice(TAGS.length)
  const sha = ref.peeled ?? ref.oid
  const archive = `${repoUrl(context, owner, row)}/archive/${encodePath(name)}`
  return {
    name,
    message: message.trim(),
    id: ref.oid,
    commit: { url: `${repoApiUrl(context, owner, row)}/git/commits/${sha}`, sha, created: who ? identTime(who) : zeroTime },
    zipball_url: `${archive}.zip`,
    tarball_url: `${archive}.tar.gz`,
  }
}
