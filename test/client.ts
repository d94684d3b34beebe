/** Requests to the REST API, for tests in process and over HTTP. */
export interface Client {
  get<T = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Reply<T>>
  post<T = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<T>>
  patch<T = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<T>>
  put<T = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<T>>
  delete<T = Record<string, unknown>>(path: string, body?: unknown, options?: RequestOptions): Promise<Reply<T>>
  /** Sends `METHOD /path`, for tables whose rows name a method. */
  send<T = Record<string, unknown>>(line: string, options?: RequestOptions & { body?: unknown }): Promise<Reply<T>>
  /** Returns the same client with the credentials of `who`; undefined stands for an anonymous client. */
  asUser(who: Credentials | undefined): Client
  /** Returns the same client for the paths below `path`. */
  at(path: string): Client
}

/** A person, the name of a person, or a token. */
export type Credentials = { token: string } | string

export interface RequestOptions {
  headers?: Record<string, string>
}

export interface Reply<T> {
  status: number
  headers: Headers
  /** The parsed body of a JSON response, else its text. */
  body: T
}

export interface ClientParts {
  /** Sends a request: to an app in process (`app.handle`), or to a server (`fetch`). */
  fetch(request: Request): Response | Promise<Response>
  /** Returns the origin of a server; it is called for each request, since a restarted server has another port. */
  origin?(): string
  /** Finds the token of a person by name. It is called for each request: a client may be older than its person. */
  tokenOf?(who: string): string
  as?: Credentials
  /** Precedes every path. */
  base?: string
}

/** Makes a client for the paths below `/api/v1`. */
export function clientOf(parts: ClientParts): Client {
  const { base = '' } = parts
  const send = <T>(method: string, path: string, body: unknown, { headers }: RequestOptions = {}) =>
    replyOf<T>(parts.fetch(requestOf(parts.origin?.() ?? 'http://localhost', `${method} ${base}${path}`, tokenFor(parts), { body, headers })))
  return {
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    delete: (path, body, options) => send('DELETE', path, body, options),
    send: (line, options) => {
      const space = line.indexOf(' ')
      return send(line.slice(0, space), line.slice(space + 1), options?.body, options)
    },
    asUser: (as) => clientOf({ ...parts, as }),
    at: (path) => clientOf({ ...parts, base: `${base}${path}` }),
  }
}

function tokenFor({ as, tokenOf }: ClientParts): string | undefined {
  if (as === undefined) return undefined
  if (typeof as !== 'string') return as.token
  return tokenOf === undefined || isToken(as) ? as : tokenOf(as)
}

const isToken = (text: string) => /^[0-9a-f]{40}$/.test(text)

/** Builds the request for `METHOD /path` (below `/api/v1`). A body is sent as JSON. */
export function requestOf(origin: string, line: string, token: string | undefined, { body, headers = {} }: RequestOptions & { body?: unknown }): Request {
  const space = line.indexOf(' ')
  return new Request(`${origin}/api/v1${line.slice(space + 1)}`, {
    method: line.slice(0, space),
    headers: { ...(token ? { Authorization: `token ${token}` } : {}), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

/** Reads a response to its end. */
export async function replyOf<T>(answer: Response | Promise<Response>): Promise<Reply<T>> {
  const response = await answer
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}
