import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Problem } from '#kernel/errors.ts'
import { type ParsedKey, parsePublicKey } from './parse-key.ts'
import { findKeyByFingerprint, findKeyByTitle, insertPublicKey, listKeysOfSource, removePublicKey } from './store.ts'

/** Who tells which keys somebody has. */
export interface KeySource {
  id: number
  name: string
}

/**
 * Makes the keys that the person has from the source what the source says: new ones are added, others go. Keys that they added themselves
 * stay, and so does whoever else has one of these; what is no key is passed over. The log tells of both.
 */
export function replaceSourceKeys({ clock, log }: Pick<Context, 'clock' | 'log'>, tx: Tx, user: UserRow, source: KeySource, lines: readonly string[]): void {
  const passOver = (error: Problem) => log.warn(`SSH key from authentication source "${source.name}" skipped for user ${user.name}: ${error.message}`)
  const wanted = new Map(lines.flatMap((line) => readable(line, passOver)).map((key) => [key.fingerprint, key]))
  for (const { id, fingerprint } of listKeysOfSource(tx, user.id, source.id)) if (!wanted.has(fingerprint)) removePublicKey(tx, id)
  for (const { fingerprint, content } of wanted.values()) {
    const known = findKeyByFingerprint(tx, fingerprint)
    if (known && known.user_id !== user.id)
      log.warn(`SSH key from authentication source "${source.name}" skipped for user ${user.name}: another account has this key`)
    if (known) continue
    const row = { user_id: user.id, title: freeTitle(tx, user, source, fingerprint), fingerprint, content, is_read_only: 0, source_id: source.id }
    insertPublicKey(tx, { ...row, created_at: clock.seconds() })
  }
}

function readable(line: string, passOver: (error: Problem) => void): ParsedKey[] {
  try {
    return [parsePublicKey(line)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    passOver(error)
    return []
  }
}

function freeTitle(tx: Tx, user: UserRow, source: KeySource, fingerprint: string): string {
  const title = `${source.name}-${fingerprint.slice('SHA256:'.length)}`
  return findKeyByTitle(tx, user.id, title) ? `${title}-${source.id}` : title
}
