import type { Oid } from '../objects/oid.ts'
import type { AttributeRule } from './parse-attributes.ts'

/** A directory's attributes, and those of the directories that it lies in. */
export interface AttributeDirectory {
  /** Its path, '' for the root; a byte in each character. */
  readonly base: string
  readonly rules: readonly AttributeRule[]
  readonly parent: AttributeDirectory | undefined
  /** Undefined when there is no such directory. */
  readonly tree: Oid | undefined
  /** What its rules and those of its parents take, about, in bytes. */
  readonly weight: number
}
