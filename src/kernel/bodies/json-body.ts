import { messageOf, Unprocessable } from '../errors.ts'

/** Nothing the API takes is nested deeper than a few levels; the parser and what validates its result would follow it into the stack's end. */
const MAX_DEPTH = 64
/** An object with a name that no object had before costs the parser microseconds: ten thousands of them, everybody's patience. */
const MAX_NAMES = 4096
/** Bodies of this size and more are taken by few routes: lists of files, thousands of objects with the same few names. */
const LARGE = 1024 * 1024
const MAX_NAMES_OF_LARGE = 32_768
/** Commas, and lists and objects: a list in a list has none of the former. */
const MAX_ITEMS = 65_536
/** Of all names together: each is looked up, here and wherever the body goes. */
const MAX_NAME_BYTES = 1024 * 1024

/** A body as `asStruct` has it. @param names of the members that the route knows @throws Unprocessable as `parseJson` */
export function parseJsonBody(bytes: Uint8Array, names: readonly string[] = []): unknown {
  return asStruct(parseJson(bytes), names)
}

/**
 * The value of a JSON body: an empty one is an empty object, half a surrogate pair is U+FFFD.
 * @throws Unprocessable when it is not JSON, or more of it than could be parsed without holding anybody
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  try {
    refuseExcess(bytes)
    return parseWellFormed(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new Unprocessable(`Cannot parse the body as JSON: ${messageOf(cause)}`, { cause })
  }
}

/** As Go would decode a value into a struct: a member that is `null` is absent, and names are taken in any case. */
export function asStruct(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return foldNames(Object.fromEntries(Object.entries(value).filter(([key, member]) => member !== null && key !== '__proto__')), names)
}

/** A member under a name that differs from a known one in case is that one, unless that is there too. */
function foldNames(members: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const absent = names.filter((name) => !(name in members))
  if (absent.length === 0) return members
  const byLower = new Map(absent.map((name) => [name.toLowerCase(), name]))
  for (const given of Object.keys(members)) {
    const known = names.includes(given) ? undefined : byLower.get(given.toLowerCase())
    if (known !== undefined) members[known] = members[given]
  }
  return members
}

/** Counts before anything is parsed. Texts, which is what large bodies are made of, are skipped by the platform's own search. */
function refuseExcess(json: Uint8Array): void {
  let depth = 0
  let names = 0
  let items = 0
  let nameBytes = 0
  let textBytes = 0
  const mostNames = json.length < LARGE ? MAX_NAMES : MAX_NAMES_OF_LARGE
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number
    if (byte === QUOTE) {
      const open = i
      i = endOfText(json, open)
      textBytes = i - open
    } else if (byte === COLON) {
      names++
      nameBytes += textBytes
    } else if (byte === COMMA) items++
    // [ and { differ from ] and } by two, and from one another by one bit.
    else if ((byte & 0xdf) === 0x5b) {
      depth++
      items++
    } else if ((byte & 0xdf) === 0x5d) depth--
    if (depth > MAX_DEPTH) throw new RangeError(`it is nested more than ${MAX_DEPTH} levels deep`)
    if (names > mostNames || items > MAX_ITEMS) throw new RangeError(`it has more than ${mostNames} members, or ${MAX_ITEMS} items`)
    if (nameBytes > MAX_NAME_BYTES) throw new RangeError(`the names of its members are longer than ${MAX_NAME_BYTES} bytes together`)
  }
}

/** Where the text that begins at `open` ends: its closing quote, or the end of all. Of one with a quote in it each byte is looked at: it may have millions. */
function endOfText(json: Uint8Array, open: number): number {
  const first = json.indexOf(QUOTE, open + 1)
  if (first < 0) return json.length
  let at = first
  while (json[at - 1] === BACKSLASH) at--
  for (; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++
    else if (json[at] === QUOTE) return at
  }
  return json.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

/** Halves of surrogate pairs come only by escapes; they have no UTF-8, and `encodeURIComponent` throws on them. */
function parseWellFormed(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return /\\u[dD][89a-fA-F]/.test(text) ? wellFormed(value) : value
}

/** The parser's own way, a function that it calls with each value, takes ten times as long as the parsing. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>
    for (const name of Object.keys(members)) members[name] = wellFormed(members[name])
  }
  return value
}
