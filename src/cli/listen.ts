import type { App } from '#app.ts'
import type { Context } from '#context.ts'
import { IDLE_SECONDS } from '#kernel/answers/awaited-answers.ts'
import { kindOfHost } from '#outbound/network/index.ts'
import { type Fetch, limitAddresses } from './limit-addresses.ts'

export type Server = Bun.Server<undefined>

/**
 * Starts to take requests, and tells the context under which address; they are answered once `ready` is, where it is given.
 * @throws Error when the port is taken or may not be used
 */
export function listen(app: App, context: Pick<Context, 'config' | 'clients' | 'rootUrl'>, ready?: Promise<unknown>): Server {
  const { config, clients } = context
  const answer = ready === undefined ? app.answer : heldUntil(ready, app.answer)
  const { HTTP_ADDR: hostname, HTTP_PORT: port, ROOT_URL, MAX_CONNECTIONS_PER_ADDRESS: most } = config.server
  const server = bind({
    hostname,
    port,
    idleTimeout: IDLE_SECONDS,
    // Each route has its own limit, and git's bodies have none; this one would cut them all alike.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    development: false,
    // Which has Bun share the port with other processes, unless told not to.
    reusePort: false,
    error: app.error,
    fetch: isLoopback(hostname) && !clients.hasProxies ? answer : limitAddresses(answer, most, clients),
  })
  app.server = server
  if (ROOT_URL === '') context.rootUrl = `http://${hostInUrl(isWildcard(hostname) || hostname === '127.0.0.1' ? 'localhost' : hostname)}:${server.port}/`
  return server
}

function heldUntil(ready: Promise<unknown>, answer: Fetch): Fetch {
  let isReady = false
  void ready.then(() => {
    isReady = true
  })
  return (request) => (isReady ? answer(request) : ready.then(() => answer(request)))
}

/** Stops accepting, and resolves when every request under way is answered; after `seconds`, or once `hurry` resolves, the others are cut off. */
export async function drain(server: Server, seconds: number, hurry: Promise<void>): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, seconds * 1000)
  await Promise.race([server.stop(), deadline, hurry])
  clearTimeout(timer)
  await server.stop(true)
}

/** Whether an address stands for all of the machine's. */
export function isWildcard(hostname: string): boolean {
  return hostname === '0.0.0.0' || hostname === '::'
}

export function isLoopback(hostname: string): boolean {
  return kindOfHost(hostname) === 'loopback'
}

/** A host as it stands in a URL: IPv6 addresses in brackets. */
export function hostInUrl(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname
}

function bind(options: Bun.Serve.Options<undefined> & { hostname: string; port: number }): Server {
  try {
    return Bun.serve(options)
  } catch (cause) {
    const code = (cause as { code?: string }).code
    throw new Error(`Cannot listen on ${options.hostname} port ${options.port}: ${reasonOf(code, cause)}`, { cause })
  }
}

function reasonOf(code: string | undefined, cause: unknown): string {
  if (code === 'EADDRINUSE') return 'another program uses this port. Choose another port with --port, or use --port 0 to pick a free one.'
  if (code === 'EACCES') return 'ports below 1024 need special privileges. Choose another port with --port.'
  if (code === 'EADDRNOTAVAIL') return 'this machine does not have this address. Choose another address with --host.'
  if (code === 'EINVAL' || code === 'ENOTFOUND')
    return 'this is not a valid address. Choose another address with --host, such as 127.0.0.1, or 0.0.0.0 for all interfaces.'
  return cause instanceof Error ? cause.message : String(cause)
}
