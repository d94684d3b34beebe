import type { Answers, Questions } from './questions.ts'
import type { Value } from './sql-parameters.ts'

export type Row = Record<string, Value>

/** A promise here is a type error: bun:sqlite would commit before it settles. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T

/** What queries take. */
export interface Db {
  /** The first row, if any. */
  find<T>(sql: string, ...values: Value[]): T | undefined
  all<T>(sql: string, ...values: Value[]): T[]
  /** The same as `find`, for rows that nearly every request asks for: kept in memory until the store changes, and frozen. */
  lookUp<T extends object>(sql: string, ...values: Value[]): T | undefined
  /**
   * The same for the rows of several ids, those that are there, in the order of `ids`: what is not known is asked for at once.
   * @param sql what `lookUp` is given for one of them, without its ` = ?`: it ends in `WHERE id`
   */
  lookUpAll<T extends { id: number }>(sql: string, ids: readonly number[]): T[]
  /** What `all` would find for each of them, by one statement: for what several rooms are asked about one thing. */
  askTogether<T extends object>(questions: Questions<T>): Answers<T>
}

/** What long questions take: those whose answer takes the longer the larger the store is. */
export interface LongDb extends Db {
  /**
   * What `all` would find for each of them, without anybody waiting for it: of a large store a thread of its own is asked.
   * Never within a transaction, whose changes it would not see.
   * @param line who asks: all have the same share of that thread's time
   * @throws Problem 503 when too many of that line wait
   */
  askAside<T extends object>(questions: Questions<T>, line: string): Promise<Answers<T>>
}

/** What mutations take: only `Database.tx` hands one out. */
export interface Tx extends Db {
  /** Runs a statement; returns how many rows it changed. */
  run(sql: string, ...values: Value[]): number
  /** Inserts one row and returns its id. Table and column names are code, never input. */
  insert(table: string, row: Row): number
  /** Updates the given columns of the row with this id; returns how many rows it changed. */
  update(table: string, id: number, row: Row): number
  /** Runs after the commit is durable; never after a rollback. */
  onCommit(effect: () => void): void
  /**
   * Runs when none of the transaction has happened, to take back what was made for it outside of the database. Not when the disk has lost the
   * commit: the next start may find it, and what was made for it.
   */
  onRollback(effect: () => void): void
}
