import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Tx, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** A deploy key with the public key it consists of. */
export interface DeployKeyRow {
  id: number
  repo_id: number
  key_id: number
  title: string
  is_read_only: number
  created_at: number
  fingerprint: string
  content: string
}

const columns = 'deploy_key.*, public_key.fingerprint, public_key.content'
const joined = 'FROM deploy_key JOIN public_key ON public_key.id = deploy_key.key_id'
const deployKeys = `SELECT ${columns} ${joined}`

export function findDeployKey(db: Db, repoId: number, id: number): DeployKeyRow | undefined {
  return db.find<DeployKeyRow>(`${deployKeys} WHERE repo_id = ? AND deploy_key.id = ?`, repoId, id)
}

export function findDeployKeyByKey(db: Db, repoId: number, keyId: number): DeployKeyRow | undefined {
  return db.find<DeployKeyRow>(`${deployKeys} WHERE repo_id = ? AND key_id = ?`, repoId, keyId)
}

export function findDeployKeyByTitle(db: Db, repoId: number, title: string): DeployKeyRow | undefined {
  return db.find<DeployKeyRow>(`${deployKeys} WHERE repo_id = ? AND deploy_key.title = ?`, repoId, title)
}

/** Which deploy keys of a repository a list shows; absent members do not filter. */
export interface DeployKeyFilter {
  keyId?: number
  fingerprint?: string
}

/** @param line who asks: see `LongDb` */
export function listDeployKeys(
  db: LongDb,
  line: string,
  repoId: number,
  filter: DeployKeyFilter,
  page: Page,
): Promise<{ rows: DeployKeyRow[]; total: number }> {
  const parts = ['repo_id = ?']
  const values: Value[] = [repoId]
  if (filter.keyId !== undefined) {
    parts.push('key_id = ?')
    values.push(filter.keyId)
  }
  if (filter.fingerprint !== undefined) {
    parts.push('fingerprint = ?')
    values.push(filter.fingerprint)
  }
  return pageAside(db, line, { columns, from: `${joined} WHERE ${parts.join(' AND ')}`, order: 'deploy_key.id', values }, page)
}

export function insertDeployKey(tx: Tx, row: Pick<DeployKeyRow, 'repo_id' | 'key_id' | 'title' | 'is_read_only' | 'created_at'>): number {
  return tx.insert('deploy_key', { ...row })
}

/** Its public key goes too when no other repository uses it. */
export function removeDeployKey(tx: Tx, id: number): void {
  tx.run('DELETE FROM deploy_key WHERE id = ?', id)
}
