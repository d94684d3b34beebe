import type { Db, Tx } from '#kernel/db.ts'
import type { StoredBlob } from './files.ts'
import type { SummedBlob } from './sums.ts'

/** A file that is there now, until something names it or its grace is over. */
export function noteBlob(tx: Tx, { digest, size, sums }: SummedBlob, now: number): void {
  tx.run(
    'INSERT INTO blob (digest, size, unused_since) VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET unused_since = iif(use_count = 0, excluded.unused_since, NULL)',
    digest,
    size,
    now,
  )
  noteSums(tx, digest, sums)
}

/** A file that no row knew: it has its grace as one that nothing names any more. */
export function noteStray(tx: Tx, { digest, size }: StoredBlob, now: number): void {
  tx.run('INSERT INTO blob (digest, size, unused_since) VALUES (?, ?, ?)', digest, size, now)
}

/** What a file that is there is checked by, from now on. */
export function noteSums(tx: Tx, digest: string, sums: Uint8Array): void {
  tx.run('INSERT INTO derived_blob_sums (digest, sums) SELECT digest, ? FROM blob WHERE digest = ? ON CONFLICT (digest) DO NOTHING', sums, digest)
}

/** Without sums where it came before there were any. */
export function findBlob(db: Db, digest: string): { size: number; sums: Uint8Array | null } | undefined {
  return db.find('SELECT size, sums FROM blob LEFT JOIN derived_blob_sums USING (digest) WHERE digest = ?', digest)
}

export function hasBlob(db: Db, digest: string): boolean {
  return db.find('SELECT 1 FROM blob WHERE digest = ?', digest) !== undefined
}

export function listUnused(db: Db, before: number, limit: number): string[] {
  return db.all<{ digest: string }>('SELECT digest FROM blob WHERE unused_since <= ? AND use_count = 0 LIMIT ?', before, limit).map(({ digest }) => digest)
}

export function deleteBlob(tx: Tx, digest: string): void {
  tx.run('DELETE FROM blob WHERE digest = ? AND use_count = 0', digest)
}

/** Digests of what anything names. */
export function listUsedBlobs(db: Db): string[] {
  return db.all<{ digest: string }>('SELECT digest FROM blob WHERE use_count > 0').map(({ digest }) => digest)
}
