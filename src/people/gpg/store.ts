import { lineOf, type Viewer } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { KeyPart, ReadKey } from './job.ts'

/** A primary key, or one of its subkeys. */
export interface GpgKeyRow {
  id: number
  user_id: number
  primary_id: number | null
  key_id: string
  packet: Uint8Array
  can_sign: number
  can_certify: number
  can_encrypt_comms: number
  can_encrypt_storage: number
  is_verified: number
  created_at: number
  expires_at: number | null
}

/** Lists leave the certificates where they are. */
const columns = `id, user_id, primary_id, key_id, packet, can_sign, can_certify, can_encrypt_comms, can_encrypt_storage, is_verified,
  created_at, expires_at`

export function listGpgKeys(db: LongDb, viewer: Viewer, userId: number, page: Page): Promise<{ rows: GpgKeyRow[]; total: number }> {
  return pageAside(db, lineOf(viewer), { columns, from: 'FROM gpg_key WHERE user_id = ? AND primary_id IS NULL', order: 'id', values: [userId] }, page)
}

/** A primary key of the account's. */
export function findGpgKey(db: Db, userId: number, id: number): GpgKeyRow | undefined {
  return db.find<GpgKeyRow>(`SELECT ${columns} FROM gpg_key WHERE id = ? AND user_id = ? AND primary_id IS NULL`, id, userId)
}

export function findGpgKeyByKeyId(db: Db, userId: number, keyId: string): (GpgKeyRow & { certificate: Uint8Array }) | undefined {
  const sql = `SELECT ${columns}, certificate FROM gpg_key WHERE user_id = ? AND key_id = ? AND primary_id IS NULL`
  return db.find<GpgKeyRow & { certificate: Uint8Array }>(sql, userId, keyId)
}

/** An account's keys, as whoever verifies its signatures imports them. */
export function listCertificates(db: Db, userId: number): Uint8Array[] {
  const rows = db.all<{ certificate: Uint8Array }>('SELECT certificate FROM gpg_key WHERE user_id = ? AND primary_id IS NULL ORDER BY id', userId)
  return rows.map(({ certificate }) => certificate)
}

/** Whether anyone has a primary key of this id. */
export function isKeyIdTaken(db: Db, keyId: string): boolean {
  return db.find('SELECT 1 FROM gpg_key WHERE key_id = ? AND primary_id IS NULL', keyId) !== undefined
}

/** The subkeys of some primary keys, in the order they stand in them. */
export function listSubkeys(db: Db, primaryIds: readonly number[]): GpgKeyRow[] {
  return db.all<GpgKeyRow>(`SELECT ${columns} FROM gpg_key WHERE primary_id IN (SELECT value FROM json_each(?)) ORDER BY id`, JSON.stringify(primaryIds))
}

/** Of the addresses that some primary keys say they are for, those that are shown to be their accounts' now. */
export function listKeyEmails(db: Db, primaryIds: readonly number[]): { key_id: number; email: string }[] {
  return db.all(
    `SELECT gpg_key_identity.key_id, email_address.email
     FROM json_each(?) AS wanted JOIN gpg_key ON gpg_key.id = wanted.value JOIN gpg_key_identity ON gpg_key_identity.key_id = gpg_key.id
     JOIN email_address ON email_address.lower_email = gpg_key_identity.lower_email AND email_address.user_id = gpg_key.user_id
     WHERE email_address.is_verified = 1 ORDER BY email_address.id`,
    JSON.stringify(primaryIds),
  )
}

/** The certificate of the account's key that has this id, or has a subkey of it, and counts for this address of the account's. */
export function findCertificate(db: Db, userId: number, keyId: string, email: string): { id: number; certificate: Uint8Array } | undefined {
  return db.find(
    `SELECT main.id, main.certificate
     FROM gpg_key AS signing JOIN gpg_key AS main ON main.id = coalesce(signing.primary_id, signing.id)
     WHERE signing.user_id = ? AND signing.key_id = ?
       AND (main.is_verified = 1 OR EXISTS (SELECT 1 FROM gpg_key_identity WHERE key_id = main.id AND lower_email = ?))
     ORDER BY main.id LIMIT 1`,
    userId,
    keyId,
    email.toLowerCase(),
  )
}

export function insertGpgKey(tx: Tx, userId: number, key: ReadKey, isVerified: boolean): number {
  const id = tx.insert('gpg_key', { ...rowOf(userId, key), certificate: key.certificate, is_verified: Number(isVerified) })
  for (const subkey of key.subkeys) tx.insert('gpg_key', { ...rowOf(userId, subkey), primary_id: id })
  for (const email of key.emails) tx.run('INSERT INTO gpg_key_identity (key_id, lower_email) VALUES (?, ?)', id, email)
  return id
}

export function setVerified(tx: Tx, id: number): void {
  tx.update('gpg_key', id, { is_verified: 1 })
}

/** Returns whether the account had a primary key of this id; its subkeys go with it. */
export function removeGpgKey(tx: Tx, userId: number, id: number): boolean {
  return tx.run('DELETE FROM gpg_key WHERE id = ? AND user_id = ? AND primary_id IS NULL', id, userId) > 0
}

function rowOf(userId: number, part: KeyPart) {
  return {
    user_id: userId,
    key_id: part.keyId,
    packet: part.packet,
    can_sign: Number(part.canSign),
    can_certify: Number(part.canCertify),
    can_encrypt_comms: Number(part.canEncryptComms),
    can_encrypt_storage: Number(part.canEncryptStorage),
    created_at: part.createdAt,
    expires_at: part.expiresAt,
  }
}

/** Whether a key is still an account's; by its row as `Judgement` names it, `gpg 7` or `ssh 7`. */
export function isKeyThere(db: Db, keyRow: string): boolean {
  const [kind, id] = keyRow.split(' ')
  return db.find(kind === 'gpg' ? 'SELECT 1 FROM gpg_key WHERE id = ?' : 'SELECT 1 FROM public_key WHERE id = ?', Number(id)) !== undefined
}
