import { parseRange } from './byte-range.ts'

/** Bytes of known size that can be read from anywhere in the middle. */
export interface Content {
  /** Bytes. */
  size: number
  /** Strong entity tag, with its quotes: other bytes never have the same. */
  etag: string
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
  if (isKnown(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const range = mayBePart(request, etag) ? parseRange(request.headers.get('range'), size) : undefined
  if (range === 'none') return new Response(null, { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` } })
  const { start, end } = range ?? { start: 0, end: size }
  const all = { ...headers, 'Content-Length': String(end - start), ...(range ? { 'Content-Range': `bytes ${start}-${end - 1}/${size}` } : {}) }
  return new Response(request.method === 'HEAD' ? standIn(size) : await content.open(start, end), { status: range ? 206 : 200, headers: all })
}

const BLOCK_BYTES = 1024 * 1024
let block: Uint8Array | undefined

/** What a HEAD is answered with in place of `size` bytes: Elysia leaves the body out, but reads and counts it before it does. */
export function standIn(size: number): ReadableStream<Uint8Array> {
  block ??= new Uint8Array(BLOCK_BYTES)
  const bytes = block
  let left = size
  return new ReadableStream({
    pull(controller) {
      if (left > 0) controller.enqueue(bytes.subarray(0, Math.min(left, BLOCK_BYTES)))
      else controller.close()
      left -= Math.min(left, BLOCK_BYTES)
    },
  })
}

/** Whether `If-None-Match` names the tag; weak comparison, as it asks for. */
export function isKnown(header: string | null, etag: string): boolean {
  const plain = etag.replace(/^W\//, '')
  return header?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === plain) ?? false
}

/** Not where `If-Range` names other content. */
function mayBePart({ headers, method }: Request, etag: string): boolean {
  const condition = headers.get('if-range')
  return method === 'GET' && (condition === null || condition.trim() === etag)
}
