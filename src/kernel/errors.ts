/**
 * Everything that can go wrong on purpose. A problem has an HTTP status, a message that is safe to show
 * to whoever asked, and a private cause that only the log sees. `http.ts` is the one place that renders it.
 */
export class Problem extends Error {
  readonly status: number
  /** Extra members of the JSON body, e.g. `{ invalidTopics: [...] }`. */
  readonly extra: Record<string, unknown> | undefined
  /** Extra response headers, e.g. `WWW-Authenticate`. */
  readonly headers: Record<string, string> | undefined

  constructor(status: number, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause })
    this.name = new.target.name
    this.status = status
    this.extra = options.extra
    this.headers = options.headers
  }
}

export interface ProblemOptions {
  cause?: unknown
  extra?: Record<string, unknown>
  headers?: Record<string, string>
}

/** 400: the request cannot be understood. */
export class BadRequest extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(400, message, options)
  }
}

/** 401: no credentials, or wrong ones. */
export class Unauthorized extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(401, message, options)
  }
}

/** 403: known, seen, and not allowed. */
export class Forbidden extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(403, message, options)
  }
}

/** 404: absent, or not visible to the asker; the two look the same. */
export class NotFound extends Problem {
  constructor(message = 'not found', options: ProblemOptions = {}) {
    super(404, message, { ...options, extra: { errors: null, ...options.extra } })
  }
}

/** 404: a link with a secret in it, which somebody was sent. Whoever has one is told so: there is nothing to find out by it. */
export class LinkOver extends NotFound {
  constructor(message = 'The link is invalid, has expired or was already used.') {
    super(message)
  }
}

/** 409: the target is in a state that excludes the request. */
export class Conflict extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(409, message, options)
  }
}

/** 413: over a configured limit. */
export class TooLarge extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(413, message, options)
  }
}

/** 422: understood, and not valid. Field errors read `[FieldName]: reason`, as Gitea's do. */
export class Unprocessable extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(422, message, options)
  }
}

/** 423: the repository is archived. */
export class Locked extends Problem {
  constructor(message: string, options?: ProblemOptions) {
    super(423, message, options)
  }
}

/** 499: nobody is there to be answered. */
export class ClientGone extends Problem {
  constructor(options?: ProblemOptions) {
    super(499, 'The client disconnected.', options)
  }
}

/** 503: another program, the command line say, is writing to the store. */
export class Busy extends Problem {
  constructor(options?: ProblemOptions) {
    super(503, 'Another process is writing to the database. Try again in a moment.', { ...options, headers: { 'Retry-After': '1', ...options?.headers } })
  }
}

/** The message of anything thrown, for logs and wrapped causes. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
