import { Database as Sqlite } from 'bun:sqlite'
import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** Source: "Database File Format" of SQLite, section 1.3. */
const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'
const [WRITE_VERSION_AT, READ_VERSION_AT] = [18, 19]
const ROLLBACK_JOURNAL = 1
/** Of a larger one, which is looked at in memory, no tables are told. */
const MAX_BYTES = 512 * 1024 * 1024

/** What is left of a database that SQLite cannot read whole. */
export interface DamagedDatabase {
  bytes: number
  /** How many bytes its header says there are; undefined without a header. */
  expected: number | undefined
  /** 0 where their list cannot be read. */
  tables: number
  /** Those of `tables` whose rows can all be gone through. */
  readable: number
}

/** Looks at a damaged database and changes nothing. */
export function surveyDamaged(path: string): DamagedDatabase {
  const expected = expectedBytes(path)
  return { bytes: statSync(path).size, expected, ...countReadable(path, expected) }
}

function expectedBytes(path: string): number | undefined {
  const header = startOf(path, HEADER_BYTES)
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  const size = header.readUInt16BE(16)
  return (size === 1 ? 65_536 : size) * header.readUInt32BE(28) || undefined
}

function countReadable(path: string, expected: number | undefined): Pick<DamagedDatabase, 'tables' | 'readable'> {
  const counted = { tables: 0, readable: 0 }
  if (expected === undefined || expected > MAX_BYTES) return counted
  try {
    using db = Sqlite.deserialize(paddedCopy(path, expected), { readonly: true })
    const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name").all()
    counted.tables = tables.length
    for (const { name } of tables) if (isReadable(db, name)) counted.readable++
  } catch {
    // Not even the list of tables can be read.
  }
  return counted
}

/** SQLite reads nothing of a file that is shorter than its header says, and in memory nothing that is kept with a `-wal`. */
function paddedCopy(path: string, expected: number): Uint8Array<ArrayBuffer> {
  const copy = startOf(path, expected)
  copy.fill(ROLLBACK_JOURNAL, WRITE_VERSION_AT, READ_VERSION_AT + 1)
  return copy
}

/** The first bytes of a file; zeros where it has no more. */
function startOf(path: string, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length)
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, length, 0)
  } finally {
    closeSync(file)
  }
  return bytes
}

function isReadable(db: Sqlite, table: string): boolean {
  try {
    db.query(`SELECT count(*) FROM "${table.replaceAll('"', '""')}" NOT INDEXED`).get()
    return true
  } catch {
    return false
  }
}
