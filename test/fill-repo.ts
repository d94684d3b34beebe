import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { updateRefs } from '#repositories/refs/index.ts'
import { gitIn } from './git.ts'

/**
 * Fills a repository with what `make` does in a working copy: its objects and refs are copied, and the refs become rows. A push would give the
 * same and start six programs.
 */
export function fillRepo({ context }: { context: Context }, repoId: number, make: (directory: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'pf-'))
  const bare = context.git.pathOf(repoId)
  try {
    gitIn(directory, 'init', '-q')
    make(directory)
    for (const name of ['objects', 'refs', 'packed-refs']) {
      const from = join(directory, '.git', name)
      if (existsSync(from)) cpSync(from, join(bare, name), { recursive: true })
    }
    const lines = gitIn(directory, 'for-each-ref', '--format=%(refname) %(objectname) %(*objectname)').trim().split('\n')
    const updates = lines
      .map((line) => line.split(' ') as [name: string, oid: string, peeled?: string])
      .map(([name, oid, peeled]) => ({ name, new: oid as Oid, peeled: (peeled || undefined) as Oid | undefined }))
    const results = context.db.tx((tx) => updateRefs(context, tx, { repoId, actorId: 1, acting: [{ userId: 1 }], message: 'push', updates }))
    const refused = results.find((result) => !result.ok)
    if (refused) throw new Error(`Cannot fill the repository: ${JSON.stringify(refused)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
