import type { Db, Tx } from '#kernel/db.ts'

/** A file that is there now, until something names it or its grace is over. */
export function noteBlob(tx: Tx, digest: string, size: number, now: number): void {
  tx.run(
    'INSERT INTO blob (digest, size, unused_since) VALUES (?, ?, ?) ON CONFLICT (digest) DO UPDATE SET unused_since = iif(use_count = 0, excluded.unused_since, NULL)',
    digest,
    size,
    now,
  )
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
