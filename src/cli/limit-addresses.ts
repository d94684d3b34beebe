import { type ClientAddresses, networkOf } from '#access/index.ts'
import { isStreamed } from '#kernel/answers/paced-stream.ts'
import { kindOfHost } from '#outbound/network/index.ts'

export type Fetch = (request: Request) => Response | Promise<Response>

/**
 * Lets one client have at most `most` requests under way at once, so that it leaves room for others; further ones are answered 503.
 * A client is an address, of IPv6 a /64, and behind a trusted proxy the one that the proxy names. A streamed answer, git's or a
 * large file's, is under way until its last byte. Requests from this machine are not limited.
 */
export function limitAddresses(answer: Fetch, most: number, clients: Pick<ClientAddresses, 'of'>): Fetch {
  const underWay = new Map<string, number>()
  const leave = (client: string) => {
    const left = (underWay.get(client) ?? 1) - 1
    if (left === 0) underWay.delete(client)
    else underWay.set(client, left)
  }
  return async (request) => {
    const address = clients.of(request)
    const client = networkOf(address)
    const count = underWay.get(client) ?? 0
    if (count >= most && kindOfHost(address) !== 'loopback')
      return new Response('Too many concurrent requests from this address. Try again in a second.\n', { status: 503, headers: { 'Retry-After': '1' } })
    underWay.set(client, count + 1)
    let isStreaming = false
    try {
      const response = await answer(request)
      isStreaming = goesOn(request, response)
      return isStreaming ? untilEnd(response, () => leave(client)) : response
    } finally {
      if (!isStreaming) leave(client)
    }
  }
}

/** Bodies that are at hand are not looked at: that makes streams of them. Of an answer to HEAD nobody reads any. */
function goesOn(request: Request, response: Response): boolean {
  const isGit = response.headers.get('content-type')?.startsWith('application/x-git-') === true
  return (isGit || isStreamed(request)) && request.method !== 'HEAD' && response.body !== null
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
