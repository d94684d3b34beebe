import type { Acting } from '#kernel/acting.ts'

/** The most accounts that are stored for one head. With more, its commit messages act in the base repository only. */
const MOST = 50

/** Reads the column `acting` of a pull request or of a push to one. */
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
