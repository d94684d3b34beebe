import { isDangling } from './db.ts'
import { diskProblem } from './disk-trouble.ts'
import { messageOf, NotFound, Problem, TooLarge, Unprocessable } from './errors.ts'
import { randomHex } from './ids.ts'
import type { Log } from './log.ts'

export const JSON_TYPE = 'application/json;charset=utf-8'

/** The one renderer of errors: `{"message", "url"}` as Gitea's clients expect; a 500 says only under which id it was logged. */
export function renderProblem(error: unknown, request: Request, rootUrl: string, log: Log): Response {
  if (isDangling(error)) return renderProblem(overtaken(error, request, log), request, rootUrl, log)
  if (!(error instanceof Problem)) return renderDiskTrouble(error, request, rootUrl, log) ?? renderUnexpected(error, request, rootUrl, log)
  const headers = { 'Content-Type': JSON_TYPE, ...securityHeaders, ...error.headers }
  if (error.status === 301 || error.status === 307) return new Response(null, { status: error.status, headers })
  return new Response(JSON.stringify({ message: error.message, url: `${rootUrl}api/swagger`, ...error.extra }), { status: error.status, headers })
}

/** What a request is about, or who sends it, was deleted between the gate and the change: as if it had come a moment later. */
function overtaken(error: unknown, request: Request, log: Log): NotFound {
  log.debug('what a request refers to is gone', { method: request.method, path: pathOf(request.url), error: messageOf(error) })
  return new NotFound(undefined, { cause: error })
}

/** Whoever asked for a change hears that it did not happen, and why. */
function renderDiskTrouble(error: unknown, request: Request, rootUrl: string, log: Log): Response | undefined {
  const problem = diskProblem(error)
  if (!problem) return undefined
  log.error('the disk refuses', error, { method: request.method, path: pathOf(request.url) })
  return renderProblem(problem, request, rootUrl, log)
}

function renderUnexpected(error: unknown, request: Request, rootUrl: string, log: Log): Response {
  const id = randomHex(6)
  log.error('request failed', error, { id, method: request.method, path: pathOf(request.url) })
  const body = { message: `Internal server error; the server's log has it as ${id}.`, url: `${rootUrl}api/swagger` }
  return new Response(JSON.stringify(body), { status: 500, headers: { 'Content-Type': JSON_TYPE, ...securityHeaders } })
}

export const securityHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'max-age=0, private, must-revalidate, no-transform' }

/** What content that people stored is served with, so that no browser runs it on our origin. */
export const rawHeaders = { 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

/**
 * The path of an absolute URL, without the query: queries can hold tokens, which no log shows.
 * Unlike `URL` it takes any host: the URL of a request has the Host header in it as it came.
 */
export function pathOf(url: string): string {
  const start = url.indexOf('/', 8)
  const end = url.indexOf('?', start)
  return start < 0 ? '/' : end < 0 ? url.slice(start) : url.slice(start, end)
}

/** The query of an absolute URL with its question mark, or nothing. */
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at)
}

/** A flag of a query, as Go reads one and forms send it; undefined when it is absent or empty, false for anything odd. */
export function flagIn(text: string | undefined): boolean | undefined {
  return text === undefined || text === '' ? undefined : ['1', 't', 'true', 'on'].includes(text.toLowerCase())
}

/** Reads a body of at most `maxBytes`. @throws TooLarge before more than that is held */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}

/**
 * A JSON body as Go would decode it into a struct: an empty body is an empty object, a member that is `null` is absent,
 * half a surrogate pair is U+FFFD.
 * @throws Unprocessable when it is not JSON
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(request, maxBytes)
  if (bytes.length === 0) return {}
  let value: unknown
  try {
    refuseDepth(bytes)
    value = parseWellFormed(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw new Unprocessable(`Cannot parse the body as JSON: ${messageOf(cause)}`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => member !== null && key !== '__proto__'))
}

/** Nothing the API takes is nested deeper than a few levels; the parser and what validates its result would follow it into the stack's end. */
const MAX_DEPTH = 64

function refuseDepth(json: Uint8Array): void {
  let depth = 0
  let inText = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (inText) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inText = false
    } else if (byte === QUOTE) inText = true
    // [ and { differ from ] and } by two, and from one another by one bit.
    else if ((byte & 0xdf) === 0x5b) {
      if (++depth > MAX_DEPTH) throw new RangeError(`it is nested more than ${MAX_DEPTH} levels deep`)
    } else if ((byte & 0xdf) === 0x5d) depth--
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Halves of surrogate pairs come only by escapes; they have no UTF-8, and `encodeURIComponent` throws on them. */
function parseWellFormed(text: string): unknown {
  return /\\u[dD][89a-fA-F]/.test(text) ? JSON.parse(text, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value)) : JSON.parse(text)
}

function tooLarge(maxBytes: number): TooLarge {
  return new TooLarge(`Cannot take the body: it is larger than ${maxBytes} bytes`)
}
