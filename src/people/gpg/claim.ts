import type { Check } from './job.ts'

/** A signature that a key of an account's says it made. */
export interface Claim {
  /** What the answer is kept under: an object never changes, nor does a key; another key is another row. */
  question: string
  /** The key, as people know it. */
  key: string
  /** The key's row, `gpg 7`. */
  keyRow: string
  /** Whose key it is. */
  userId: number
  check: Check
}
