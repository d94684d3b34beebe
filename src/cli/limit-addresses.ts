import { kindOfHost } from '#outbound/network/index.ts'

export type Fetch = (request: Request) => Response | Promise<Response>
export type ServerFetch = (request: Request, server: Pick<Bun.Server<undefined>, 'requestIP'>) => Response | Promise<Response>

/**
 * Lets one address have at most `most` requests under way at once, so that it leaves room for others; further ones
 * are answered 503. A streamed git answer is under way until its last byte. Requests from this machine are not limited.
 */
export function limitAddresses(answer: Fetch, most: number): ServerFetch {
  const underWay = new Map<string, number>()
  const leave = (address: string) => {
    const left = (underWay.get(address) ?? 1) - 1
    if (left === 0) underWay.delete(address)
    else underWay.set(address, left)
  }
  return async (request, server) => {
    const address = server.requestIP(request)?.address.replace(/^::ffff:/, '') ?? ''
    const count = underWay.get(address) ?? 0
    if (count >= most && kindOfHost(address) !== 'loopback')
      return new Response('Too many requests from this address at once.\n', { status: 503, headers: { 'Retry-After': '1' } })
    underWay.set(address, count + 1)
    let isStreaming = false
    try {
      const response = await answer(request)
      isStreaming = response.headers.get('content-type')?.startsWith('application/x-git-') === true && response.body !== null
      return isStreaming ? untilEnd(response, () => leave(address)) : response
    } finally {
      if (!isStreaming) leave(address)
    }
  }
}

/** The same answer; calls `done` once its body has ended, failed or been given up. */
function untilEnd(response: Response, done: () => void): Response {
  const source = (response.body as ReadableStream<Uint8Array>).getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await source.read()
          if (!chunk.done) return controller.enqueue(chunk.value)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        done()
      },
      async cancel(reason) {
        done()
        await source.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: response.status, headers: response.headers })
}
