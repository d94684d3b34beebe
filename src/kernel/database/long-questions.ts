import type { Db } from './db-access.ts'
import type { Answers, Question, Questions } from './questions.ts'

/** A store of so many pages is read in less time than a thread takes to be asked: 8 MB. */
const SMALL_STORE = 2048

export type AskAside = (queries: readonly Question<unknown>[], line: string) => Promise<object[][]>

/** Several questions of a store: in place, until somebody else answers those of a large one. */
export class LongQuestions {
  readonly #db: Db
  #ask: AskAside | undefined

  constructor(db: Db) {
    this.#db = db
  }

  handOver(ask: AskAside): void {
    this.#ask = ask
  }

  async ask<T extends object>(questions: Questions<T>, line: string): Promise<Answers<T>> {
    const asked = Object.entries<Question<unknown>>(questions)
    const queries = asked.map(([, question]) => question)
    const found = this.#ask && !this.#isSmall() ? await this.#ask(queries, line) : queries.map(({ sql, values }) => this.#db.all<object>(sql, ...values))
    return Object.fromEntries(asked.map(([name], i) => [name, found[i]])) as Answers<T>
  }

  #isSmall(): boolean {
    return (this.#db.find<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0) < SMALL_STORE
  }
}
