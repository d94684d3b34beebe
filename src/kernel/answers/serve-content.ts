import { parseRange } from './byte-range.ts'

/** Bytes of known size that can be read from anywhere in the middle. */
export interface Content {
  /** Bytes. */
  size: number
  /** Strong entity tag, with its quotes: other bytes never have the same. */
  etag: string
  /** With `Last-Modified`, where it is known. */
  headers: Record<string, string>
  /** The bytes `[from, to)`; called once at most. What it throws is thrown before anything is answered. */
  open(from: number, to: number): ReadableStream<Uint8Array> | Blob | Promise<ReadableStream<Uint8Array>>
}

/** Which statuses `serveContent` brings with it, for a route's `detail`. */
export const contentStatuses = { variants: [206, 304], errors: [416] }

/**
 * Answers a GET with the content, a part of it, or that the client has it already. Several ranges at once are answered whole, which is
 * allowed. To a HEAD it answers as to a GET of everything, without opening it. Source: RFC 9110 §13 and §14.
 */
export async function serveContent(request: Request, content: Content): Promise<Response> {
  const { size, etag } = content
  const headers = { ...content.headers, ETag: etag, 'Accept-Ranges': 'bytes' }
  const modified = content.headers['Last-Modified']
  if (hasAlready(request, etag, modified)) return new Response(null, { status: 304, headers })
  if (request.method === 'HEAD') return answerHead(request, headers, size)
  const range = mayBePart(request, etag, modified) ? parseRange(request.headers.get('range'), size) : undefined
  if (range === 'none') return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } })
  const { start, end } = range ?? { start: 0, end: size }
  const all = { ...headers, 'Content-Length': String(end - start), ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${size}` } : {}) }
  return new Response(await content.open(start, end), { status: range ? 206 : 200, headers: all })
}

/** How long what was asked for by HEAD is; undefined where nobody knows yet. */
const lengths = new WeakMap<Request, number | undefined>()

/** Answers a HEAD for `size` bytes, or for as many as will turn out; `withLength` has to be asked for what is sent. */
export function answerHead(request: Request, headers: Record<string, string>, size?: number): Response {
  lengths.set(request, size)
  return new Response(null, { headers: size === undefined ? headers : { ...headers, 'Content-Length': String(size) } })
}

/**
 * Elysia counts the body that a HEAD would have had, which would have to be made for that: what `answerHead` said is put in its place. Of
 * what a client has already nothing is said: a length of none would be taken for that of what it has.
 */
export function withLength(request: Request, { status, headers }: Response): Response | undefined {
  if (status === 304) headers.delete('content-length')
  if (!lengths.has(request)) return undefined
  const size = lengths.get(request)
  if (size === undefined) headers.delete('content-length')
  else headers.set('content-length', String(size))
  // Of no body Bun says that it has no bytes; one that is a stream it leaves out, and says nothing.
  return new Response(size === undefined ? new Blob([' ']).stream() : null, { status, headers })
}

/** Whether `If-None-Match` names the tag; weak comparison, as it asks for. */
export function isKnown(header: string | null, etag: string): boolean {
  const plain = etag.replace(/^W\//, '')
  return header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === plain) ?? false
}

/** Whether the client has it already. A date is looked at only where no tag is; RFC 9110, section 13.2.2. */
export function hasAlready({ headers }: Request, etag: string, modified: string | undefined): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return isKnown(tags, etag)
  return modified !== undefined && Date.parse(headers.get('if-modified-since') ?? '') >= Date.parse(modified)
}

/** Not where `If-Range` names other content. */
export function mayBePart({ headers }: Request, etag: string, modified: string | undefined): boolean {
  const condition = headers.get('if-range')?.trim()
  return condition === undefined || condition === etag || condition === modified
}

/** What a file is called where it is saved, for `Content-Disposition`. Twice: not everybody, `curl -OJ` among them, reads the second form; RFC 6266. */
export function fileNames(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;/]/g, '_')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `filename="${plain}"; filename*=UTF-8''${exact}`
}
