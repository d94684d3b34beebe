import { isOfClass } from './character-class.ts'
import type { Effort } from './effort.ts'

const SLASH = 0x2f
const STAR = 0x2a
const QUESTION = 0x3f
const BACKSLASH = 0x5c
const OPEN = 0x5b
const CLOSE = 0x5d
const DASH = 0x2d
const COLON = 0x3a
const BANG = 0x21
const CARET = 0x5e

/** Answers of a part of the match: below zero, so that places in the text are told apart from them. */
const MATCH = -1
const NO_MATCH = -2
/** The text is too short for the pattern, wherever the stars before it may end. */
const ABORT_ALL = -3
/** Only a `**` further left can still help. */
const ABORT_TO_STARSTAR = -4

/**
 * Git's shell patterns, byte for byte: both strings hold a byte in each character. With `pathname`, `*` and `?` stop at slashes
 * and `**` between slashes does not; without, `*` takes everything. Source: git's `wildmatch.c`.
 * @throws GitError `limit` when `effort` is spent
 */
export function wildmatch(pattern: string, text: string, pathname: boolean, effort: Effort): boolean {
  return new Matcher(pattern, text, pathname, effort).run(0, 0) === MATCH
}

class Matcher {
  readonly #pattern: string
  readonly #text: string
  readonly #pathname: boolean
  readonly #effort: Effort

  constructor(pattern: string, text: string, pathname: boolean, effort: Effort) {
    this.#pattern = pattern
    this.#text = text
    this.#pathname = pathname
    this.#effort = effort
  }

  /** Matches the rest of the pattern, from `start` on, with the rest of the text, from `t` on. */
  run(start: number, t: number): number {
    const end = this.#pattern.length
    for (let p = start; p < end; p++, t++) {
      this.#effort.spend()
      const wanted = this.#wanted(p)
      const given = this.#given(t)
      if (wanted === STAR) {
        const after = this.#endOfStars(p)
        const next = this.#star(p === start, p, after, t)
        if (next < 0) return next
        p = after
        t = next
      } else {
        p = given === 0 ? ABORT_ALL : this.#one(wanted, given, p)
        if (p < 0) return p
      }
    }
    return t < this.#text.length ? NO_MATCH : MATCH
  }

  /** Matches a single byte; answers where in the pattern the part that did so ends. */
  #one(wanted: number, given: number, p: number): number {
    if (wanted === OPEN) return this.#set(p, given)
    if (wanted === QUESTION) return this.#pathname && given === SLASH ? NO_MATCH : p
    if (wanted !== BACKSLASH) return wanted === given ? p : NO_MATCH
    return this.#wanted(p + 1) === given ? p + 1 : NO_MATCH
  }

  /** The stars at `[first, after)` and what follows them; or, for one star before a slash, the place of that slash in the text. */
  #star(isFirst: boolean, first: number, after: number, t: number): number {
    let takesSlashes = !this.#pathname
    if (this.#pathname && after - first > 1 && this.#isWholeComponent(isFirst, first, after)) {
      // `a/**/b` is also `a/b`.
      if (this.#wanted(after) === SLASH && this.run(after + 1, t) === MATCH) return MATCH
      takesSlashes = true
    }
    if (after === this.#pattern.length) return !takesSlashes && this.#text.includes('/', t) ? ABORT_TO_STARSTAR : MATCH
    if (takesSlashes || this.#wanted(after) !== SLASH) return this.#sweep(after, t, takesSlashes)
    const slash = this.#text.indexOf('/', t)
    return slash < 0 ? ABORT_ALL : slash
  }

  #isWholeComponent(isFirst: boolean, first: number, after: number): boolean {
    if (!isFirst && this.#wanted(first - 1) !== SLASH) return false
    const next = this.#wanted(after)
    return next === 0 || next === SLASH || (next === BACKSLASH && this.#wanted(after + 1) === SLASH)
  }

  /** Tries the rest of the pattern from each place of the text that the star may reach. */
  #sweep(after: number, t: number, takesSlashes: boolean): number {
    const next = this.#wanted(after)
    const isLiteral = !isGlobSpecial(next)
    for (; t < this.#text.length; t++) {
      if (isLiteral) {
        t = this.#seek(next, t, takesSlashes)
        if (t < 0) return takesSlashes ? ABORT_ALL : ABORT_TO_STARSTAR
      }
      const answer = this.run(after, t)
      if (answer === NO_MATCH) {
        if (!takesSlashes && this.#given(t) === SLASH) return ABORT_TO_STARSTAR
      } else if (!takesSlashes || answer !== ABORT_TO_STARSTAR) {
        return answer
      }
    }
    return ABORT_ALL
  }

  /** Where the byte stands in the text from `t` on; negative when it does not, or a slash is in the way. */
  #seek(byte: number, t: number, takesSlashes: boolean): number {
    for (; t < this.#text.length; t++) {
      this.#effort.spend()
      const given = this.#given(t)
      if (given === byte) return t
      if (!takesSlashes && given === SLASH) return NO_MATCH
    }
    return NO_MATCH
  }

  /** Whether the byte is in the set that begins at `p`; answers where the set ends. */
  #set(p: number, given: number): number {
    let byte = this.#wanted(++p)
    const isNegated = byte === BANG || byte === CARET
    if (isNegated) byte = this.#wanted(++p)
    let isIn = false
    let previous = 0
    do {
      this.#effort.spend()
      if (byte === 0) return ABORT_ALL
      const member = this.#member(p, byte, previous, given)
      if (member === undefined) return ABORT_ALL
      isIn ||= member.isIn
      previous = member.last
      p = member.end + 1
      byte = this.#wanted(p)
    } while (byte !== CLOSE)
    return isIn === isNegated || (this.#pathname && given === SLASH) ? NO_MATCH : p
  }

  /** One byte, range or class of a set; `last` is what a range may begin with. Undefined when it is cut off, or there is no such class. */
  #member(p: number, byte: number, previous: number, given: number): { isIn: boolean; last: number; end: number } | undefined {
    if (byte === OPEN && this.#wanted(p + 1) === COLON) return this.#classMember(p, given)
    const next = this.#wanted(p + 1)
    const isRange = byte === DASH && previous > 0 && next > 0 && next !== CLOSE
    const at = isRange ? p + 1 : p
    const end = this.#wanted(at) === BACKSLASH ? at + 1 : at
    const last = this.#wanted(end)
    if (last === 0) return undefined
    return isRange ? { isIn: given >= previous && given <= last, last: 0, end } : { isIn: given === last, last, end }
  }

  #classMember(p: number, given: number): { isIn: boolean; last: number; end: number } | undefined {
    const close = this.#pattern.indexOf(']', p + 2)
    if (close < 0) return undefined
    if (close === p + 2 || this.#wanted(close - 1) !== COLON) return { isIn: given === OPEN, last: OPEN, end: p }
    const isIn = isOfClass(this.#pattern.slice(p + 2, close - 1), given)
    return isIn === undefined ? undefined : { isIn, last: 0, end: close }
  }

  #endOfStars(p: number): number {
    while (this.#wanted(p) === STAR) p++
    return p
  }

  /** 0 behind the end, where C has its NUL. */
  #wanted(p: number): number {
    return p < this.#pattern.length ? this.#pattern.charCodeAt(p) : 0
  }

  #given(t: number): number {
    return t < this.#text.length ? this.#text.charCodeAt(t) : 0
  }
}

export function isGlobSpecial(byte: number): boolean {
  return byte === STAR || byte === QUESTION || byte === OPEN || byte === BACKSLASH
}
