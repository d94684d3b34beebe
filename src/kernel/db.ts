import { constants, SQLiteError, type SQLQueryBindings, Database as Sqlite, type Statement } from 'bun:sqlite'
import { breathe } from './breathe.ts'
import type { LongDb, Sync, Tx } from './database/db-access.ts'
import { KnownRows } from './database/known-rows.ts'
import { type AskAside, LongQuestions } from './database/long-questions.ts'
import { type Answers, JoinedQuestions, type Questions } from './database/questions.ts'
import { requireSafe } from './database/safe-sqlite.ts'
import type { Value } from './database/sql-parameters.ts'
import { isBusy } from './database/sqlite-errors.ts'
import { Statements } from './database/statements.ts'
import { TransactionMode } from './database/transaction-mode.ts'
import { diskTroubleOf } from './disk-trouble.ts'
import { Busy } from './errors.ts'

export type { Db, LongDb, Row, Sync, Tx } from './database/db-access.ts'
export type { Value } from './database/sql-parameters.ts'

export interface DatabaseOptions {
  /** Milliseconds to wait for another process' write (the command line while the server runs). */
  busyTimeout?: number
}

/** Who hears of what goes wrong; the context, once it is there. */
export interface DatabaseListener {
  /** A commit's effect threw: the change is durable all the same. */
  effectFailed(error: unknown): void
  /** A transaction could not be written, or a file that belongs to it could not be made durable. */
  writeFailed(error: unknown): void
  /** @throws when nothing may be written any more */
  beforeWrite(): void
}

/** So long another process' write is waited for, where nobody waits with who asked; then they are told to come back. */
const LONGEST_WAIT_MS = 10_000
/** How often to ask whether another process still writes. */
const PROBE_MS = 20

/** From so many pages on that are in the log alone they are to be written into the database; so does SQLite by itself. */
const LONG_LOG = 1000
/** A log of so many pages is written by whoever commits then, should the thread for it fall behind: 64 MB. */
const LONGEST_LOG = 16_384
/** Who writes much waits for that thread from so many pages on. */
const LONG_WRITE = LONGEST_LOG / 2

/** What follows a transaction. */
interface Effects {
  committed: (() => void)[]
  rolledBack: (() => void)[]
}

/** One SQLite database: WAL, synchronous=FULL but for what is provisional, foreign keys on, one writer, statements prepared once. */
export class Database implements LongDb {
  readonly #sqlite: Sqlite
  readonly #statements: Statements
  readonly #mode: TransactionMode
  #open: { tx: Tx; isProvisional: boolean } | undefined
  readonly #joined = new JoinedQuestions()
  readonly #known = new KnownRows()
  #isReading = false
  #version = 0
  #changes = 0
  #foreignVersion: number | undefined
  #listener: DatabaseListener | undefined
  #writeLog: (() => Promise<void>) | undefined
  readonly #long = new LongQuestions(this)
  #isContended = false

  constructor(source: string | Uint8Array, options: DatabaseOptions = {}) {
    this.#sqlite = typeof source === 'string' ? new Sqlite(source, { create: true, strict: true }) : Sqlite.deserialize(source as Uint8Array<ArrayBuffer>)
    this.#statements = new Statements(this.#sqlite)
    this.#mode = new TransactionMode(this.#sqlite)
    this.#sqlite.run(`PRAGMA busy_timeout = ${options.busyTimeout ?? 10_000}`)
    this.#sqlite.run('PRAGMA journal_mode = WAL')
    this.#sqlite.run('PRAGMA synchronous = FULL')
    this.#sqlite.run('PRAGMA foreign_keys = ON')
    this.#sqlite.run('PRAGMA trusted_schema = OFF')
    this.#sqlite.run('PRAGMA cache_size = -16384')
    // Somebody's backup that reads for an hour lets the log grow; once that is over, the file is cut.
    this.#sqlite.run(`PRAGMA journal_size_limit = ${LONGEST_LOG * 4096}`)
    requireSafe(this.#sqlite, typeof source === 'string' && source !== ':memory:')
  }

  set listener(listener: DatabaseListener) {
    this.#listener = listener
  }

  /** Of its file; empty when it is in memory. */
  get path(): string {
    const { filename } = this.#sqlite
    return filename === ':memory:' ? '' : filename
  }

  /** From now on `write` is called when much is in the log of commits alone, instead of writing it into the database within a commit. */
  handOverCheckpoints(write: () => Promise<void>): void {
    this.#endReading()
    this.#sqlite.run(`PRAGMA wal_autocheckpoint = ${LONGEST_LOG}`)
    this.#writeLog = write
  }

  /** From now on `ask` answers long questions. */
  handOverLongReads(ask: AskAside): void {
    this.#long.handOver(ask)
  }

  find<T>(sql: string, ...values: Value[]): T | undefined {
    this.#beginReading()
    return (this.#prepared(sql).get(...(values as SQLQueryBindings[])) as T | null) ?? undefined
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    this.#beginReading()
    return this.#prepared(sql).all(...(values as SQLQueryBindings[])) as T[]
  }

  lookUp<T extends object>(sql: string, ...values: Value[]): T | undefined {
    const { version } = this
    if (version === undefined) return this.find<T>(sql, ...values)
    const key = values.length === 1 ? values[0] : values.join('\0')
    return this.#known.get<T>(version, sql, key, () => this.find<T>(sql, ...values))
  }

  lookUpAll<T extends { id: number }>(sql: string, ids: readonly number[]): T[] {
    const { version } = this
    const findAll = (missing: readonly number[]) => this.all<T>(`${sql} IN (SELECT value FROM json_each(?))`, JSON.stringify(missing))
    // Within a transaction nothing is known: rows that are gone with the call serve as well.
    return version === undefined ? new KnownRows().getAll(0, sql, ids, findAll) : this.#known.getAll(version, `${sql} = ?`, ids, findAll)
  }

  askTogether<T extends object>(questions: Questions<T>): Answers<T> {
    return this.#joined.ask(questions, {
      columnsOf: (sql) => this.#prepared(sql).columnNames,
      find: (sql, values) => this.find<Record<string, string>>(sql, ...values),
    })
  }

  async askAside<T extends object>(questions: Questions<T>, line: string): Promise<Answers<T>> {
    if (this.#open) throw new Error('Cannot start a long read within a transaction')
    return this.#long.ask(questions, line)
  }

  /**
   * Tells states of the store apart: it goes up with every change, of this process or another one. Whatever was read under one number
   * is what would be read again under it. Undefined inside a transaction, which sees what may never come to be.
   */
  get version(): number | undefined {
    if (this.#open) return undefined
    this.#beginReading()
    return this.#version
  }

  /** How many transactions have become durable: what they changed no failure takes back. */
  get changes(): number {
    return this.#changes
  }

  /**
   * Runs `work` in one transaction: all of it is durable when this returns, or none of it happened.
   * Inside another `tx` it joins that one. @throws Busy when another process is writing for longer than this one waits
   */
  tx<T>(work: (tx: Tx) => Sync<T>): T {
    if (this.#open?.isProvisional) throw new Error('Cannot make a durable change within a provisional one')
    return this.#open ? (work(this.#open.tx) as T) : this.#transact(work, false)
  }

  /**
   * The same for what nobody is told of, and what is made again after a crash: the disk is not waited for. It is wholly there or wholly absent
   * afterwards, too, and there if anything is that was committed later; the next `tx` makes it durable with what it writes itself.
   */
  provisional<T>(work: (tx: Tx) => Sync<T>): T {
    return this.#open ? (work(this.#open.tx) as T) : this.#transact(work, true)
  }

  /**
   * The same as `tx` for the deletion of a row that very many refer to: those stay as they are, however many, and whoever calls this notes in the
   * same transaction what is to be cleared, and clears it afterwards (`ReferringRows`). Within another transaction it is `tx`.
   */
  txLeavingRows<T>(work: (tx: Tx) => Sync<T>): T {
    return this.#open ? this.tx(work) : this.#transact(work, false, true)
  }

  #transact<T>(work: (tx: Tx) => Sync<T>, isProvisional: boolean, leavesRows = false): T {
    this.#listener?.beforeWrite()
    this.#endReading()
    const effects: Effects = { committed: [], rolledBack: [] }
    this.#mode.set(!isProvisional, !leavesRows)
    this.#begin()
    this.#open = { tx: this.#writer(effects), isProvisional }
    let result: T
    let mayBeLost = false
    try {
      result = work(this.#open.tx) as T
      mayBeLost = true
      this.#sqlite.run('COMMIT')
      if (!isProvisional) this.#changes++
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.run('ROLLBACK')
      if (error instanceof SQLiteError || diskTroubleOf(error) === 'lost') this.#listener?.writeFailed(error)
      this.#open = undefined
      if (!mayBeLost || diskTroubleOf(error) !== 'lost') for (const effect of effects.rolledBack) this.#runEffect(effect)
      throw error
    } finally {
      this.#open = undefined
      this.#version++
    }
    for (const effect of effects.committed) this.#runEffect(effect)
    if (this.#writeLog && this.#log().waiting >= LONG_LOG) void this.#writeLog()
    return result
  }

  /**
   * For who writes much, between its transactions: others have their turn, and when the log is long the thread that writes it is waited for.
   * It cannot begin a new log while somebody always adds to this one, which a commit would have to write in the end, with everybody waiting.
   */
  async rest(): Promise<void> {
    await breathe()
    if (this.#writeLog && this.#log().pages >= LONG_WRITE) await this.#writeLog()
  }

  /** Writes what a request that only reads leaves behind. While that cannot be written it is left out: reading goes on. */
  note(work: (tx: Tx) => void): void {
    if (this.#isContended) return
    try {
      this.provisional((tx) => void work(tx))
    } catch (error) {
      if (!(error instanceof Busy) && diskTroubleOf(error) === undefined) throw error
    }
  }

  /** How long it is, and what of it is not in the database yet. Asking takes some microseconds, and fails nothing that has been committed. */
  #log(): { pages: number; waiting: number } {
    try {
      const { log, checkpointed } = this.#prepared('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number }
      return { pages: log, waiting: log - checkpointed }
    } catch (error) {
      this.#listener?.writeFailed(error)
      return { pages: 0, waiting: 0 }
    }
  }

  /** The change is durable: whoever asked for it is told so, whatever becomes of what follows it. */
  #runEffect(effect: () => void): void {
    try {
      effect()
    } catch (error) {
      if (!this.#listener) throw error
      this.#listener.effectFailed(error)
    }
  }

  /** How long a transaction waits for another process' write, from now on: the whole thread waits with it. */
  waitAtMost(milliseconds: number): void {
    this.#endReading()
    this.#sqlite.run(`PRAGMA busy_timeout = ${milliseconds}`)
  }

  /** Whether the last transaction met another process' write. */
  get isContended(): boolean {
    return this.#isContended
  }

  /** Resolves when no other process is writing any more, or time is up. Nobody else waits meanwhile. */
  async untilFree(milliseconds = LONGEST_WAIT_MS): Promise<void> {
    for (const until = performance.now() + milliseconds; this.#isContended && performance.now() < until; ) {
      await Bun.sleep(PROBE_MS)
      if (this.#isContended) this.#isContended = !this.#isFree()
    }
  }

  #begin(): void {
    try {
      this.#sqlite.run('BEGIN IMMEDIATE')
      this.#isContended = false
    } catch (error) {
      if (!isBusy(error)) throw error
      this.#isContended = true
      throw new Busy({ cause: error })
    }
  }

  /** Asks without waiting. */
  #isFree(): boolean {
    this.#endReading()
    const { timeout } = this.#sqlite.query<{ timeout: number }, []>('PRAGMA busy_timeout').get() ?? { timeout: 0 }
    this.waitAtMost(0)
    try {
      this.#sqlite.run('BEGIN IMMEDIATE')
      this.#sqlite.run('ROLLBACK')
      return true
    } catch (error) {
      if (isBusy(error)) return false
      throw error
    } finally {
      this.waitAtMost(timeout)
    }
  }

  /** Runs a statement that cannot run inside a transaction, or a whole script. */
  exec(script: string): void {
    this.#endReading()
    this.#mode.cascade(true)
    this.#version++
    this.#sqlite.exec(script)
  }

  /** The whole database as bytes; `new Database(bytes)` opens a copy in memory. */
  serialize(): Uint8Array {
    return this.#sqlite.serialize()
  }

  /** Leaves the log of commits where it is when the database is closed, as a crash does. */
  keepLog(): void {
    this.#sqlite.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1)
  }

  /** Also when the disk does not take what is left to write: the log of commits has it. */
  close(): void {
    this.#endReading()
    // SQLite keeps a database open for as long as a statement of it is there.
    this.#statements.finalize()
    this.#sqlite.close(false)
  }

  /**
   * All reads of one turn of the event loop share a read transaction: taking and leaving SQLite's file locks costs
   * more than a short query does.
   */
  #beginReading(): void {
    if (this.#isReading || this.#open) return
    this.#prepared('BEGIN').run()
    this.#isReading = true
    setImmediate(this.#endReading)
    this.#noticeOthers()
  }

  /** What SQLite counts here are the commits of other connections. */
  #noticeOthers(): void {
    const { data_version: now } = this.#prepared('PRAGMA data_version').get() as { data_version: number }
    if (now !== this.#foreignVersion) this.#version++
    this.#foreignVersion = now
  }

  /** What a read has failed with its asker was told: the end of the transaction, which fails for the same reason, is nobody's. */
  readonly #endReading = (): void => {
    if (!this.#isReading) return
    this.#isReading = false
    try {
      this.#prepared('COMMIT').run()
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.run('ROLLBACK')
      if (diskTroubleOf(error) === undefined) throw error
    }
  }

  #prepared(sql: string): Statement {
    return this.#statements.get(sql)
  }

  #writer({ committed, rolledBack }: Effects): Tx {
    const run = (sql: string, ...values: Value[]) => this.#prepared(sql).run(...(values as SQLQueryBindings[]))
    return {
      find: (sql, ...values) => this.find(sql, ...values),
      all: (sql, ...values) => this.all(sql, ...values),
      lookUp: (sql, ...values) => this.find(sql, ...values),
      lookUpAll: (sql, ids) => this.lookUpAll(sql, ids),
      askTogether: (questions) => this.askTogether(questions),
      run: (sql, ...values) => run(sql, ...values).changes,
      insert: (table, row) => {
        const columns = Object.keys(row)
        const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
        return Number(run(sql, ...Object.values(row)).lastInsertRowid)
      },
      update: (table, id, row) => {
        const columns = Object.keys(row)
        if (columns.length === 0) return 0
        return run(`UPDATE ${table} SET ${columns.map((c) => `${c} = ?`).join(', ')} WHERE id = ?`, ...Object.values(row), id).changes
      },
      onCommit: (effect) => void committed.push(effect),
      onRollback: (effect) => void rolledBack.push(effect),
    }
  }
}
