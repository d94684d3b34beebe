import { bodyOf } from './bodies/request-body.ts'
import { breathe, isDue } from './breathe.ts'
import { isDangling } from './database/sqlite-errors.ts'
import { diskProblem, diskTroubleOf } from './disk-trouble.ts'
import { BadRequest, messageOf, NotFound, Problem, type ProblemOptions, TooLarge } from './errors.ts'
import { randomHex } from './ids.ts'
import type { Log } from './log.ts'
import { type Pace, Progress } from './pace.ts'

export const JSON_TYPE = 'application/json;charset=utf-8'

/**
 * The one renderer of errors: `{"message", "url"}` as Gitea's clients expect; a 500 says only under which id it was logged.
 * @param mayBeStored whether anything was stored since the request came
 */
export function renderProblem(error: unknown, request: Request, rootUrl: string, log: Log, mayBeStored = false): Response {
  if (isDangling(error)) return renderProblem(overtaken(error, request, log), request, rootUrl, log)
  if (!(error instanceof Problem)) {
    const problem = diskProblem(error, mayBeStored)
    const asked = { method: request.method, path: pathOf(request.url) }
    if (!problem) return renderUnexpected(error, rootUrl, log, asked)
    log.error(diskTroubleOf(error) === 'damaged' ? DAMAGED : 'disk error', error, asked)
    return renderProblem(problem, request, rootUrl, log)
  }
  const headers = { 'Content-Type': JSON_TYPE, ...securityHeaders, ...error.headers }
  if (error.status >= 300 && error.status < 400) return new Response(null, { status: error.status, headers: belowRoot(headers, rootUrl) })
  return new Response(JSON.stringify({ message: error.message, url: `${rootUrl}api/swagger`, ...error.extra }), { status: error.status, headers })
}

/** Paths are known without what a proxy takes away before it asks. */
function belowRoot(headers: Record<string, string>, rootUrl: string): Record<string, string> {
  const { Location = '' } = headers
  return Location.startsWith('/') ? { ...headers, Location: new URL(rootUrl).pathname + Location.slice(1) } : headers
}

/** What a request is about, or who sends it, was deleted between the gate and the change: as if it had come a moment later. */
function overtaken(error: unknown, request: Request, log: Log): NotFound {
  log.debug('request refers to a deleted row', { method: request.method, path: pathOf(request.url), error: messageOf(error) })
  return new NotFound(undefined, { cause: error })
}

const DAMAGED =
  'the database is damaged or unreadable: check the disk, stop the server and run "pocketforge doctor". If it cannot read all tables, restore a backup'

/** What nobody expected, as a 500 that shows nothing of it. @param asked what it was that was asked for, where that is known */
export function renderUnexpected(error: unknown, rootUrl: string, log: Log, asked: Record<string, string> = {}): Response {
  const id = randomHex(6)
  log.error('request failed', error, { id, ...asked })
  const body = { message: `Internal server error. The server log has details under the ID ${id}.`, url: `${rootUrl}api/swagger` }
  return new Response(JSON.stringify(body), { status: 500, headers: { 'Content-Type': JSON_TYPE, ...securityHeaders } })
}

export const securityHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'max-age=0, private, must-revalidate, no-transform' }

/**
 * A long list as it goes out: views make it field by field, so its schema need not look at each field again, which takes longer than
 * to make the JSON. Headers that the handler set go with it.
 */
export function unchecked<T>(answer: T): T {
  return new Response(JSON.stringify(answer), { headers: { 'Content-Type': JSON_TYPE } }) as never
}

/** So much of a long list is made before it is sent: when that is all of it, it goes out in one piece. */
const HELD_BYTES = 256 * 1024

/** What stands before a list and after it. */
export type Around = readonly [before: string, after: string]

interface PagesOptions {
  /** How many items there are; called for a list that is longer than `HELD_BYTES`. */
  total?: () => number | Promise<number>
  around?: Around | undefined
}

/**
 * The same of a list that is too long to be made in one go: whoever makes its pages lets others have their turn in between. A longer one than
 * `HELD_BYTES` is made as it is taken, and never there as a whole; when a later page fails, the answer is cut off.
 * @param sent makes the stream that the peer takes
 */
export async function uncheckedPages<T>(
  pages: AsyncIterable<readonly T[]>,
  sent: (source: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
  { total, around = ['[', ']'] }: PagesOptions = {},
): Promise<T[]> {
  let count = 0
  const counted = async function* () {
    for await (const page of pages) {
      count += page.length
      yield page
    }
  }
  const texts = listTexts(counted(), around)
  const held: Uint8Array[] = []
  let size = 0
  for (let next = await texts.next(); ; next = await texts.next()) {
    if (next.done) return withTotal(jsonResponse(Buffer.concat(held)), count) as never
    held.push(next.value)
    size += next.value.length
    if (size > HELD_BYTES) {
      const known = await total?.()
      return withTotal(jsonResponse(await sent(streamOf(held, texts))), known) as never
    }
  }
}

const totals = new WeakMap<object, number>()

function withTotal(response: Response, total: number | undefined): Response {
  if (total !== undefined) totals.set(response, total)
  return response
}

/** Returns the number of items in the list that a handler returned; undefined when it is not a list or the number is not known. */
export function totalOf(returned: unknown): number | undefined {
  if (Array.isArray(returned)) return returned.length
  return typeof returned === 'object' && returned !== null ? totals.get(returned) : undefined
}

/** Items that are made in one go. */
const PART = 100

/** Pages of very many items that are there already: others have their turn in between. */
export async function* inParts<T, Made>(items: readonly T[], make: (part: readonly T[]) => Made[]): AsyncGenerator<Made[]> {
  for (let from = 0; from < items.length; from += PART) {
    yield make(items.slice(from, from + PART))
    if (isDue()) await breathe()
  }
}

async function* listTexts<T>(pages: AsyncIterable<readonly T[]>, [start, end]: Around): AsyncGenerator<Uint8Array> {
  let before = start
  for await (const page of pages) {
    if (page.length === 0) continue
    yield Buffer.from(before + JSON.stringify(page).slice(1, -1))
    before = ','
  }
  yield Buffer.from(before === start ? start + end : end)
}

/** What is there, then the rest as it is read. */
export function streamOf(held: Uint8Array[], rest: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = held.shift() ?? (await rest.next()).value
        if (next === undefined) controller.close()
        else controller.enqueue(next)
      },
      cancel: async () => void (await rest.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}

function jsonResponse(body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>): Response {
  return new Response(body, { headers: { 'Content-Type': JSON_TYPE } })
}

/** A list that holds nothing, where Gitea's clients are used to `null`: a handler's own null would be no body at all. */
export function nullWhenEmpty<T>(items: T[]): T[] | null {
  return items.length === 0 ? (withTotal(new Response('null', { headers: { 'Content-Type': JSON_TYPE } }), 0) as never) : items
}

/** What content that people stored is served with, so that no browser runs it on our origin. */
export const rawHeaders = { 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }

/**
 * Whether somebody at a terminal asks: for plain text outright, or with curl, which says that it takes anything. Browsers always name HTML.
 */
export function asksForText({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? '*/*'
  if (accept.includes('text/html')) return false
  return accept.includes('text/plain') || (accept === '*/*' && headers.get('user-agent')?.startsWith('curl/') === true)
}

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

/**
 * Reads a body of at most `maxBytes`.
 * @throws TooLarge before more than that is held; TooSlow when it does not come at the pace; BadRequest when it breaks off
 */
export async function readBody(request: Request, maxBytes: number, pace: Pace): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of streamBody(request, pace)) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes, endsConnection)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : joined(chunks, size)
}

/** As `Buffer.concat`, with turns for others: megabytes of new memory take their time. */
async function joined(chunks: readonly Uint8Array[], size: number): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
    if (isDue()) await breathe()
  }
  return whole
}

/** After so many pieces of a body others have a turn: what comes meanwhile is one piece, where a client sends a chunk for each byte. */
const PIECES = 16

/** A body as it comes, at a pace: who sends too little for too long is not waited for. @throws TooSlow; BadRequest when it breaks off */
export async function* streamBody(request: Request, pace: Pace): AsyncGenerator<Uint8Array> {
  const reader = bodyOf(request)?.getReader()
  if (!reader) return
  const progress = new Progress(pace)
  try {
    for (let pieces = 1; ; pieces++) {
      const { value } = await progress.wait(reader.read().catch(breakOff), (read) => read.value?.length ?? 0)
      if (value === undefined) return
      yield value
      if (pieces % PIECES === 0) await breathe()
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}

function breakOff(cause: unknown): never {
  throw cause instanceof Problem ? cause : new BadRequest('Cannot read the request body: it ends early', { cause })
}

/** Who does not say how much is to come may go on for ever, and every chunk that nobody wants is taken apart all the same. */
const endsConnection = { headers: { Connection: 'close' } }

function tooLarge(maxBytes: number, options?: ProblemOptions): TooLarge {
  return new TooLarge(`The request body is too large: at most ${maxBytes} bytes are allowed`, options)
}

/** Names and paths that stay what they are, as nearly all are: lists have thousands of them. */
const plainPath = /^[\w./~-]*$/

/** For a URL: each name of a path encoded, the slashes kept. */
export function encodePath(path: string): string {
  return plainPath.test(path) ? path : path.split('/').map(encodeURIComponent).join('/')
}

/** Returns whether `decodePath` can decode a path. */
export function isDecodable(raw: string): boolean {
  try {
    decodeURIComponent(raw)
    return true
  } catch {
    return false
  }
}

/**
 * The rest of a path that a `*` route caught, decoded: clients send names with slashes as they are, or with `%2F`. One at the end of the address
 * makes no difference, as after any other.
 * @throws NotFound when it is malformed
 */
export function decodePath(raw: string): string {
  try {
    return decodeURIComponent(raw.endsWith('/') ? raw.slice(0, -1) : raw)
  } catch (cause) {
    throw new NotFound(undefined, { cause })
  }
}
