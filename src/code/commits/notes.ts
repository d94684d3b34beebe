import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseCommit } from '#git/objects/commit.ts'
import type { Oid } from '#git/objects/oid.ts'
import { NotFound } from '#kernel/errors.ts'
import { findRef } from '#repositories/refs/index.ts'
import { readBlob } from './blobs.ts'

const NOTES = 'refs/notes/commits'
/** git spreads many notes over directories of two digits each; source: its `Documentation/git-notes.adoc`, "NOTES REF". */
const MAX_FANOUT = 3
const MAX_NOTE_BYTES = 1024 * 1024

/** What `git notes show` says of a commit, and the commit that last changed it. @throws NotFound when it says nothing */
export async function readNote(context: Context, { row: { id } }: RepoAccess, of: Oid): Promise<{ message: string; commit: Oid }> {
  const tip = findRef(context.db, id, NOTES)?.oid
  if (!tip) throw new NotFound()
  const { tree } = parseCommit(context.git.storeOf(id).get(tip, 'commit').data)
  for (const path of pathsOf(of)) {
    const found = await context.git.run('openPath', id, { tree, path, maxBytes: 0 })
    if (!found) continue
    const data = await readBlob(context, id, found.oid, found.size, MAX_NOTE_BYTES)
    const slash = path.lastIndexOf('/')
    const name = path.slice(slash + 1)
    const last = await context.git.run('lastCommits', id, { tip, dir: path.slice(0, Math.max(0, slash)), names: [name] })
    return { message: Buffer.from(data).toString(), commit: last.get(name)?.oid ?? tip }
  }
  throw new NotFound()
}

/** `abcdef…`, `ab/cdef…`, `ab/cd/ef…`. */
function pathsOf(oid: Oid): string[] {
  return Array.from({ length: MAX_FANOUT + 1 }, (_, depth) => {
    const parts = Array.from({ length: depth }, (_, at) => oid.slice(2 * at, 2 * at + 2))
    return [...parts, oid.slice(2 * depth)].join('/')
  })
}
