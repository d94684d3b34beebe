import { lineOf, type Viewer } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Row, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface ReleaseRow {
  id: number
  repo_id: number
  tag_name: string
  target: string
  title: string
  note: string
  is_draft: number
  is_prerelease: number
  publisher_id: number | null
  created_at: number
}

export interface AssetRow {
  id: number
  uuid: string
  release_id: number
  uploader_id: number | null
  name: string
  size: number
  digest: string
  download_count: number
  created_at: number
  /** 0 if the release has a newer file of the same name. The address with that name leads to the newer file. */
  is_newest: number
}

const selectAsset = `SELECT asset.*, NOT EXISTS (
    SELECT 1 FROM release_asset AS newer WHERE newer.release_id = asset.release_id AND newer.name = asset.name AND newer.id > asset.id
  ) AS is_newest FROM release_asset AS asset`

export interface ReleaseFilter {
  /** Leaves out drafts, whatever `isDraft` asks for. */
  hidesDrafts?: boolean
  isDraft?: boolean
  isPrerelease?: boolean
  /** Occurs in tag, title or text. */
  text?: string
}

/** The newest first. */
export function listReleases(db: LongDb, viewer: Viewer, repoId: number, filter: ReleaseFilter, page: Page): Promise<{ rows: ReleaseRow[]; total: number }> {
  const text = filter.text?.toLowerCase() ?? ''
  const conditions: [boolean, string, ...(string | number)[]][] = [
    [true, 'repo_id = ?', repoId],
    [filter.hidesDrafts === true, 'is_draft = 0'],
    [filter.isDraft !== undefined, 'is_draft = ?', Number(filter.isDraft)],
    [filter.isPrerelease !== undefined, 'is_prerelease = ?', Number(filter.isPrerelease)],
    [text !== '', '(instr(lower(tag_name), ?) > 0 OR instr(lower(title), ?) > 0 OR instr(lower(note), ?) > 0)', text, text, text],
  ]
  const asked = conditions.filter(([isAsked]) => isAsked)
  const from = `FROM release WHERE ${asked.map(([, sql]) => sql).join(' AND ')}`
  const values = asked.flatMap(([, , ...some]) => some)
  return pageAside(db, lineOf(viewer), { columns: '*', from, order: 'created_at DESC, id DESC', values }, page)
}

export function findLatest(db: Db, repoId: number): ReleaseRow | undefined {
  return db.lookUp<ReleaseRow>(
    'SELECT * FROM release WHERE repo_id = ? AND is_draft = 0 AND is_prerelease = 0 ORDER BY created_at DESC, id DESC LIMIT 1',
    repoId,
  )
}

export function findRelease(db: Db, repoId: number, id: number): ReleaseRow | undefined {
  return db.find<ReleaseRow>('SELECT * FROM release WHERE id = ? AND repo_id = ?', id, repoId)
}

export function findReleaseByTag(db: Db, repoId: number, tagName: string): ReleaseRow | undefined {
  return db.find<ReleaseRow>('SELECT * FROM release WHERE repo_id = ? AND tag_name = ?', repoId, tagName)
}

export function insertRelease(tx: Tx, row: Omit<ReleaseRow, 'id'>): ReleaseRow {
  return { ...row, id: tx.insert('release', { ...row }) }
}

export function updateRelease(tx: Tx, id: number, change: Row & Partial<ReleaseRow>): void {
  tx.update('release', id, change)
}

export function deleteReleaseRow(tx: Tx, id: number): void {
  tx.run('DELETE FROM release WHERE id = ?', id)
}

/** Of several releases, by name. */
export function listAssets(db: Db, releaseIds: readonly number[]): AssetRow[] {
  return db.all<AssetRow>(`${selectAsset} WHERE release_id IN (SELECT value FROM json_each(?)) ORDER BY name, id`, JSON.stringify(releaseIds))
}

export function countAssets(db: Db, releaseId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM release_asset WHERE release_id = ?', releaseId)?.n ?? 0
}

export function findAsset(db: Db, releaseId: number, id: number): AssetRow | undefined {
  return db.find<AssetRow>(`${selectAsset} WHERE id = ? AND release_id = ?`, id, releaseId)
}

export function findReleaseOf(db: Db, asset: AssetRow): ReleaseRow | undefined {
  return db.find<ReleaseRow>('SELECT * FROM release WHERE id = ?', asset.release_id)
}

export function findAssetByUuid(db: Db, uuid: string): AssetRow | undefined {
  return db.find<AssetRow>(`${selectAsset} WHERE uuid = ?`, uuid)
}

/** The newest of this name. */
export function findAssetByName(db: Db, releaseId: number, name: string): AssetRow | undefined {
  return db.find<AssetRow>(`${selectAsset} WHERE release_id = ? AND name = ? ORDER BY id DESC LIMIT 1`, releaseId, name)
}

export function insertAsset(tx: Tx, row: Omit<AssetRow, 'id' | 'download_count' | 'is_newest'>): AssetRow {
  return { ...row, download_count: 0, is_newest: 1, id: tx.insert('release_asset', { ...row }) }
}

export function renameAsset(tx: Tx, asset: AssetRow, name: string): AssetRow {
  tx.run('UPDATE release_asset SET name = ? WHERE id = ?', name, asset.id)
  return findAsset(tx, asset.release_id, asset.id) ?? asset
}

export function deleteAsset(tx: Tx, id: number): void {
  tx.run('DELETE FROM release_asset WHERE id = ?', id)
}

export function countDownload(tx: Tx, id: number): void {
  tx.run('UPDATE release_asset SET download_count = download_count + 1 WHERE id = ?', id)
}
