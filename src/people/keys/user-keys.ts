import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { parsePublicKey } from './parse-key.ts'
import { findKeyByFingerprint, findKeyByTitle, findPublicKey, insertPublicKey, type PublicKeyRow, removePublicKey } from './store.ts'

export interface NewKey {
  title: string
  /** As OpenSSH writes it. */
  key: string
  readOnly: boolean
}

/** Stores a key for the account. @throws Unprocessable when it is weak, malformed, or known already, be it as a deploy key */
export function addPublicKey(context: Pick<Context, 'db' | 'clock'>, owner: UserRow, input: NewKey): PublicKeyRow {
  const { content, fingerprint } = parsePublicKey(input.key)
  return context.db.tx((tx) => {
    if (findKeyByFingerprint(tx, fingerprint)) throw new Unprocessable('Key content has been used as non-deploy key')
    if (findKeyByTitle(tx, owner.id, input.title)) throw new Unprocessable('Key title has been used')
    const row = { user_id: owner.id, title: input.title, fingerprint, content, is_read_only: Number(input.readOnly), created_at: context.clock.seconds() }
    return { ...row, source_id: 0, id: insertPublicKey(tx, row), last_used_at: null }
  })
}

/** @throws NotFound when the account has no key with this id; Forbidden on one that it has from a source of sign-in, which would bring it back */
export function deletePublicKey(context: Pick<Context, 'db'>, owner: UserRow, id: number): void {
  context.db.tx((tx) => {
    const key = findPublicKey(tx, owner.id, id)
    if (!key) throw new NotFound()
    if (key.source_id !== 0) throw new Forbidden('SSH Key is externally managed for this user')
    removePublicKey(tx, id)
  })
}
