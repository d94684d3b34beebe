import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { SHA1 } from '#git/objects/oid.ts'
import { hasRefs } from '#repositories/refs/index.ts'

/** Makes the directory of a wiki's git store, unless it is there; there is a wiki once a ref is in it. */
export function makeWikiStore(context: Pick<Context, 'git'>, wiki: RepoRow): void {
  if (existsSync(join(context.git.pathOf(wiki.id), 'HEAD'))) return
  context.git.create(wiki.id, wiki.default_branch, SHA1)
}

/** Takes it back when what it was made for did not come; not while somebody else is in it, nor when nobody knows whether it came. */
export function undoWikiStore(context: Pick<Context, 'db' | 'disk' | 'git' | 'pushes'>, wiki: RepoRow): void {
  if (context.disk.isLost) return
  const leave = context.pushes.tryExclude(wiki.id)
  if (!leave) return
  try {
    if (!hasRefs(context.db, wiki.id)) context.git.clear(wiki.id)
  } finally {
    leave()
  }
}
