import { fault } from './fault.ts'
import { namedFault } from './fsck-messages.ts'
import { findIdentityFault } from './identity-fault.ts'
import type { ObjectType } from './oid.ts'

/** Called for each link: where its target's id lies (hexadecimal in commits and tags), and what type the target must have. */
export type OnHexLink = (at: number, type: ObjectType) => void

const LF = 10
const SPACE = 32
const LESS = 60
const GREATER = 62

/** The steps that the checks of commits and tags share: a reader of `key value\n` lines. */
export class HeaderLines {
  at: number
  readonly #bytes: Uint8Array
  readonly #end: number

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes
    this.at = start
    this.#end = end
    refuseNulInHeader(bytes, start, end)
  }

  /** Whether the next line begins with `key` and a space; moves past those if so. */
  take(key: string): boolean {
    const bytes = this.#bytes
    const at = this.at
    if (at + key.length >= this.#end || bytes[at + key.length] !== SPACE) return false
    for (let i = 0; i < key.length; i++) if (bytes[at + i] !== key.charCodeAt(i)) return false
    this.at = at + key.length + 1
    return true
  }

  /** Moves past an id and its line's end; returns where the id lies. */
  id(hexLength: number, key: string): number {
    const at = this.at
    if (at + hexLength >= this.#end || this.#bytes[at + hexLength] !== LF) throw fault('corrupt', `its "${key}" line is not an object ID`)
    for (let i = at; i < at + hexLength; i++) if (!isHex(this.#bytes[i] as number)) throw fault('corrupt', `its "${key}" line is not an object ID`)
    this.at = at + hexLength + 1
    return at
  }

  /** Moves past a line's end and returns the line's text. */
  text(key: string): string {
    const end = this.#lineEnd(key)
    const text = Buffer.prototype.utf8Slice.call(this.#bytes, this.at, end)
    this.at = end + 1
    return text
  }

  /**
   * Moves past `name <mail> seconds zone`. What is wrong with it and not among `ignored` is refused; of a line whose fault is ignored it asks for
   * no more than what a reader needs to take it apart.
   * @throws GitError `refused` with git's name for the fault, `corrupt`
   */
  identity(key: string, isDateNeeded: boolean, ignored: ReadonlySet<string>): void {
    const end = this.#lineEnd(key)
    const found = findIdentityFault(this.#bytes, this.at, end)
    if (found === undefined) {
      this.at = end + 1
      return
    }
    if (!ignored.has(found.id)) throw namedFault(found.id, `its "${key}" line ${found.reason}`)
    const less = this.#bytes.indexOf(LESS, this.at)
    const greater = this.#bytes.lastIndexOf(GREATER, end - 1)
    if (less < 0 || less >= end || greater < less) throw fault('corrupt', `its "${key}" line has no <email>`)
    if (isDateNeeded && !this.#isDate(greater + 1, end)) throw fault('corrupt', `its "${key}" line has no date`)
    this.at = end + 1
  }

  /** ` <digits>`, at most 18 of them, and nothing or a space and something without one. */
  #isDate(at: number, end: number): boolean {
    const bytes = this.#bytes
    while (at < end && bytes[at] === SPACE) at++
    if (at < end && bytes[at] === 45) at++
    const first = at
    while (at < end && (bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) at++
    return at > first && at - first <= 18 && (at === end || bytes[at] === SPACE)
  }

  #lineEnd(key: string): number {
    const end = this.#bytes.indexOf(LF, this.at)
    if (end < 0 || end >= this.#end) throw fault('corrupt', `its "${key}" line does not end`)
    return end
  }
}

/** The header ends at the first empty line; a NUL before it hides things from readers in C. */
function refuseNulInHeader(bytes: Uint8Array, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === 0) throw fault('corrupt', 'its header has a NUL byte')
    if (byte === LF && at + 1 < end && bytes[at + 1] === LF) return
  }
  if (end === start || bytes[end - 1] !== LF) throw fault('corrupt', 'its header does not end')
}

function isHex(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || (byte >= 97 && byte <= 102)
}
