/** An account whose rights a text uses when it closes issues in other repositories, with the limits of the account's token. Stored as JSON. */
export interface Acting {
  userId: number
  publicOnly?: true
  repoIds?: number[]
}

/** The most accounts that are stored for one head. With more, its commit messages act in the base repository only. */
const MOST = 50

/** Reads a column `acting`; null means unknown. */
export function readActing(column: string | null): Acting[] | undefined {
  return column === null ? undefined : JSON.parse(column)
}

export function writeActing(acting: readonly Acting[] | undefined): string | null {
  return acting ? JSON.stringify(acting) : null
}

/** Returns the union of both lists; undefined when one is unknown or the union is too long. */
export function joinActing(some: readonly Acting[] | undefined, others: readonly Acting[] | undefined): Acting[] | undefined {
  if (!some || !others) return undefined
  const joined = new Map([...some, ...others].map((one) => [JSON.stringify(one), one]))
  return joined.size > MOST ? undefined : [...joined.values()]
}
