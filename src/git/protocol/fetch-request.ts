import { GitError } from '../errors.ts'
import type { GitLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { parseOid } from '../objects/oid.ts'
import type { ObjectFilter } from '../packs/select/object-filter.ts'
import { parseFilter } from './filter.ts'

/** A depth that stands for "all of history": what `git fetch --unshallow` sends. */
export const INFINITE_DEPTH = 0x7fffffff

/** What a client asks of a fetch, whichever protocol version it speaks. */
export interface FetchRequest {
  wants: Oid[]
  /** Refs wanted by name. */
  wantRefs: string[]
  haves: Oid[]
  done: boolean
  waitForDone: boolean
  thinPack: boolean
  noProgress: boolean
  includeTag: boolean
  ofsDelta: boolean
  sidebandAll: boolean
  /** Commits whose parents the client lacks. */
  shallows: Oid[]
  /** Commits of history wanted from each tip, when positive. */
  depth: number
  /** `depth` counts from the client's present boundary. */
  deepenRelative: boolean
  /** Wanted are commits no older than this, in seconds since 1970, when positive. */
  deepenSince: number
  /** Refs whose history is not wanted. */
  deepenNot: string[]
  filter: ObjectFilter | undefined
}

export function emptyFetchRequest(): FetchRequest {
  return {
    wants: [],
    wantRefs: [],
    haves: [],
    done: false,
    waitForDone: false,
    thinPack: false,
    noProgress: false,
    includeTag: false,
    ofsDelta: false,
    sidebandAll: false,
    shallows: [],
    depth: 0,
    deepenRelative: false,
    deepenSince: 0,
    deepenNot: [],
    filter: undefined,
  }
}

/** True when the client asks for its history to be cut off at another place. */
export function isDeepening(request: FetchRequest): boolean {
  return request.depth > 0 || request.deepenSince > 0 || request.deepenNot.length > 0
}

type Reader = (request: FetchRequest, value: string) => void

const flags: Record<string, Reader> = {
  done: (request) => (request.done = true),
  'wait-for-done': (request) => (request.waitForDone = true),
  'thin-pack': (request) => (request.thinPack = true),
  'no-progress': (request) => (request.noProgress = true),
  'include-tag': (request) => (request.includeTag = true),
  'ofs-delta': (request) => (request.ofsDelta = true),
  'sideband-all': (request) => (request.sidebandAll = true),
  'deepen-relative': (request) => (request.deepenRelative = true),
}

const values: Record<string, Reader> = {
  want: (request, value) => request.wants.push(parseOid(value)),
  have: (request, value) => request.haves.push(parseOid(value)),
  'want-ref': (request, value) => request.wantRefs.push(value),
  ...boundaries(),
}

/** The lines that both the old and the new protocol have. */
function boundaries(): Record<string, Reader> {
  return {
    shallow: (request, value) => request.shallows.push(parseOid(value)),
    deepen: (request, value) => (request.depth = positive('deepen', value, INFINITE_DEPTH)),
    'deepen-since': (request, value) => (request.deepenSince = positive('deepen-since', value, Number.MAX_SAFE_INTEGER)),
    'deepen-not': (request, value) => request.deepenNot.push(value),
    filter: (request, value) => (request.filter = parseFilter(value)),
  }
}

const boundaryLines = new Map(Object.entries(boundaries()))
const v2Flags = new Map(Object.entries(flags))
const v2Values = new Map(Object.entries(values))

/**
 * Reads the arguments of a v2 `fetch` command. Lines it does not know are passed over, as git does.
 * Source: `Documentation/gitprotocol-v2.txt`, "fetch".
 * @throws GitError `protocol` on a malformed line or contradicting depths, `limit` on more lines than allowed, `refused` on a filter not served
 */
export function decodeFetch(lines: readonly string[], limits: GitLimits): FetchRequest {
  const request = emptyFetchRequest()
  for (const line of lines) {
    const space = line.indexOf(' ')
    if (space < 0) v2Flags.get(line)?.(request, '')
    else v2Values.get(line.slice(0, space))?.(request, line.slice(space + 1))
  }
  checkFetch(request, limits)
  return request
}

/** Reads one line of a v0 or v1 request, before the haves. @throws GitError `protocol` on a line that belongs to none */
export function decodeV0Line(line: string, request: FetchRequest): void {
  const space = line.indexOf(' ')
  const read = boundaryLines.get(line.slice(0, Math.max(space, 0)))
  if (!read) throw new GitError('protocol', `Cannot read fetch request: unexpected line "${line.slice(0, 80)}"`)
  read(request, line.slice(space + 1))
}

/** Takes over what a v0 or v1 client said behind its first want. */
export function applyV0Capabilities(request: FetchRequest, capabilities: ReadonlyMap<string, string>): void {
  for (const name of ['thin-pack', 'no-progress', 'include-tag', 'ofs-delta', 'deepen-relative']) {
    if (capabilities.has(name)) v2Flags.get(name)?.(request, '')
  }
}

/** @throws GitError as `decodeFetch` does */
export function checkFetch(request: FetchRequest, limits: GitLimits): void {
  const count = request.wants.length + request.wantRefs.length + request.haves.length + request.shallows.length + request.deepenNot.length
  if (count > limits.maxCommands) throw new GitError('limit', `Cannot fetch: more than ${limits.maxCommands} wants, haves and shallows in one request`)
  if (request.depth > 0 && (request.deepenSince > 0 || request.deepenNot.length > 0)) {
    throw new GitError('protocol', 'Cannot fetch: deepen and deepen-since (or deepen-not) cannot be used together')
  }
}

function positive(name: string, value: string, max: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (!(number > 0 && number <= max)) throw new GitError('protocol', `Cannot read fetch request: "${value.slice(0, 40)}" is not a ${name} value`)
  return number
}
