/** Bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * What a Range header asks of something of `size` bytes: a range; undefined for all of it, which is also the answer to several
 * ranges and to what is no range; `'none'` when it lies outside. Source: RFC 9110, section 14.
 */
export function parseRange(header: string | null, size: number): ByteRange | 'none' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '') || size === 0) return undefined
  if (from === '') return to === '0' ? 'none' : { start: Math.max(0, size - Number(to)), end: size }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return undefined
  return start >= size ? 'none' : { start, end: to === '' ? size : Math.min(size, Number(to) + 1) }
}

/** The bytes of `range` as they come by; the source is given up after the last of them. */
export function cutStream(source: ReadableStream<Uint8Array>, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let at = 0
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at))
        at += chunk.length
        if (part.length > 0) controller.enqueue(part)
        if (at >= end) controller.terminate()
      },
    }),
  )
}
