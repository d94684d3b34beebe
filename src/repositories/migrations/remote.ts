import { paceOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { GitTransport } from '#git/client/transport.ts'
import { GuardedClient, type HostList } from '#outbound/network/index.ts'
import type { CloneSource } from './clone-address.ts'

/** As git's `http.followRedirects=initial`: only the first request follows redirects, and later requests go where it ended. */
const REDIRECTS = 3

/** HTTP requests to the repository, through the guarded client. @param signal ends them */
export function transportTo(context: Pick<Context, 'config' | 'git'>, source: CloneSource, policy: HostList, signal?: AbortSignal): GitTransport {
  const client = new GuardedClient(context.config)
  const pace = paceOf(context.config)
  const common = { policy: () => policy, pace, maxBytes: context.git.limits.maxPackBytes, ...(signal ? { signal } : {}) }
  const credentials: Record<string, string> = source.authorization === undefined ? {} : { Authorization: source.authorization }
  let base = source.url.href
  let headersOfBase = credentials
  return {
    async get(path, headers) {
      const response = await client.stream(base + path, { ...common, headers: { ...headers, ...credentials }, redirects: REDIRECTS })
      if (response.url.href.endsWith(path)) base = response.url.href.slice(0, -path.length)
      // Credentials never follow to another host.
      if (new URL(base).origin !== source.url.origin) headersOfBase = {}
      return response
    },
    post: (path, headers, body) => client.stream(base + path, { ...common, method: 'POST', headers: { ...headers, ...headersOfBase }, body }),
  }
}
