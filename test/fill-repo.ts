import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { updateRefs } from '#repositories/refs/index.ts'
import { gitIn } from './git.ts'

/** More files than these are packed by a push, and read much faster then. */
const MAX_LOOSE = 100

/**
 * Fills a repository with what `make` does in a working copy: its objects and refs are copied, and the refs become rows. A push would give
 * the same and start six programs.
 */
export function fillRepo({ context }: { context: Context }, repoId: number, make: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const bare = context.git.pathOf(repoId)
  try {
    gitIn(directory, 'init', '-q')
    make(directory)
    if (readdirSync(join(directory, '.git/objects'), { recursive: true }).length > MAX_LOOSE) gitIn(directory, 'push', '-q', '--mirror', bare)
    else copy(join(directory, '.git'), bare)
    const lines = gitIn(directory, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)').trim().split('\n')
    const refs = lines
      .map((line) => line.split(' ') as [name: string, oid: string, peeled?: string])
      .map(([name, oid, peeled]) => ({ name, new: oid as Oid, peeled: (peeled || undefined) as Oid | undefined }))
    addRefs(context, repoId, refs)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Fills an empty repository with what another one has, which starts no program. */
export function fillFromRepo({ context }: { context: Context }, repoId: number, sourceId: number): void {
  copy(context.git.pathOf(sourceId), context.git.pathOf(repoId))
  const refs = context.db.all<{ name: string; oid: Oid; peeled: Oid | null }>('SELECT name, oid, peeled FROM ref WHERE repo_id = ?', sourceId)
  addRefs(
    context,
    repoId,
    refs.map(({ name, oid, peeled }) => ({ name, new: oid, peeled: peeled ?? undefined })),
  )
}

function addRefs(context: Context, repoId: number, updates: { name: string; new: Oid; peeled: Oid | undefined }[]): void {
  const results = context.db.tx((tx) => updateRefs(context, tx, { repoId, actorId: 1, acting: [{ userId: 1 }], message: 'push', updates }))
  const refused = results.find((result) => !result.ok)
  if (refused) throw new Error(`Cannot fill the repository: ${JSON.stringify(refused)}`)
}

function copy(from: string, to: string): void {
  for (const name of ['objects', 'refs', 'packed-refs']) {
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true })
  }
}
