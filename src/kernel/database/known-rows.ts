/** As many rows are kept: accounts, tokens and repositories have some kilobytes. */
const MAX_ROWS = 2000
/** What was asked for by a longer name is not kept: nobody has one, and a great many could be asked for. */
const MAX_KEY_LENGTH = 200

/** Rows that were looked up before, for as long as the store stays what it was. */
export class KnownRows {
  /** By what was asked, then by whom for. That there is no such row is known, too. */
  readonly #rows = new Map<string, Map<unknown, object | undefined>>()
  #version: number | undefined
  #count = 0

  /** @param version of the store; rows of another one are forgotten */
  get<T extends object>(version: number, sql: string, key: unknown, find: () => T | undefined): T | undefined {
    if (version !== this.#version || this.#count >= MAX_ROWS) this.#startAnew(version)
    const rows = this.#rows.get(sql) ?? this.#add(sql)
    const known = rows.get(key)
    if (known !== undefined || rows.has(key)) return known as T | undefined
    const found = find()
    if (typeof key === 'string' && key.length > MAX_KEY_LENGTH) return found
    // Everybody who asks gets the same one.
    rows.set(key, found && Object.freeze(found))
    this.#count++
    return found
  }

  /** The same for the rows of several ids, those that are there, in the order of `ids`. @param findAll is asked for those alone that are not known */
  getAll<T extends { id: number }>(version: number, sql: string, ids: readonly number[], findAll: (ids: readonly number[]) => T[]): T[] {
    if (version !== this.#version || this.#count + ids.length > MAX_ROWS) this.#startAnew(version)
    const rows = this.#rows.get(sql) ?? this.#add(sql)
    const missing = ids.filter((id) => !rows.has(id))
    const found = new Map(missing.length === 0 ? [] : findAll(missing).map((row) => [row.id, Object.freeze(row)]))
    for (const id of missing) rows.set(id, found.get(id))
    this.#count += missing.length
    return ids.flatMap((id) => (rows.get(id) as T | undefined) ?? [])
  }

  #startAnew(version: number): void {
    this.#rows.clear()
    this.#version = version
    this.#count = 0
  }

  #add(sql: string): Map<unknown, object | undefined> {
    const rows = new Map<unknown, object | undefined>()
    this.#rows.set(sql, rows)
    return rows
  }
}
