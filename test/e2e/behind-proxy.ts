import { certificate, certificateKey } from '../../src/people/sources/certificate.fixture.ts'

/** A proxy that gives a server HTTPS and a path of its own on a host that has others, as nginx does with `location /git/ { proxy_pass …/; }`. */
export interface SubPathProxy extends AsyncDisposable {
  /** `https://localhost:PORT` */
  origin: string
  /** What people call the server, with the slash at its end. */
  root: string
  /** What was asked for outside of the path, where somebody else's pages would be. */
  strays: string[]
}

/** What git has to be told to believe the proxy, and all others that trust nobody else. */
export { certificate }

/** @param upstream where the server is, once there is one: `http://127.0.0.1:PORT` */
export function startProxy(path: string, upstream: () => string): SubPathProxy {
  const strays: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: certificate, key: certificateKey },
    idleTimeout: 60,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url)
      if (!pathname.startsWith(path)) {
        strays.push(pathname)
        return new Response('Somebody else’s page', { status: 404 })
      }
      return pass(request, upstream() + pathname.slice(path.length - 1) + search)
    },
  })
  const origin = `https://localhost:${server.port}`
  return { origin, root: origin + path, strays, [Symbol.asyncDispose]: () => server.stop(true) }
}

function pass(request: Request, address: string): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('Host', new URL(request.url).host)
  return fetch(address, { method: request.method, headers, body: request.body, redirect: 'manual', decompress: false })
}
