import type { DocumentDecoration } from 'elysia'
import type { Config } from '#config.ts'
import { asBody, type FormSchema, isForm } from '#kernel/bodies/form-body.ts'
import { asStruct } from '#kernel/bodies/json-body.ts'
import { rememberSent, type Sent } from '#kernel/bodies/sent-form.ts'
import { Problem, TooLarge } from '#kernel/errors.ts'
import { readBody } from '#kernel/http.ts'
import type { Pace } from '#kernel/pace.ts'
import { doesReadBody, type RouteDeclaration } from '#kernel/slice.ts'
import { readFields, readJson } from './body-thread.ts'
import { termsOf } from './terms.ts'
import type { Viewer } from './viewer.ts'

const LIMIT = 'x-body-limit'
const WRITES_NOTHING = 'x-writes-nothing'

/** For a macro's `detail`: how large the route's bodies may be. */
export function stateBodyLimit(bytes: number): DocumentDecoration & Record<typeof LIMIT, number> {
  return { [LIMIT]: bytes }
}

/** For a macro's `detail`: whether what is sent to the route only asks for something. */
export function stateWritesNothing(writesNothing: boolean): DocumentDecoration & Record<typeof WRITES_NOTHING, boolean> {
  return { [WRITES_NOTHING]: writesNothing }
}

type BodyDetail = Partial<ReturnType<typeof stateBodyLimit> & ReturnType<typeof stateWritesNothing>>

/** How a route takes its bodies. */
interface BodyTerms {
  schema: FormSchema | undefined
  isOfVisitors: boolean
  /** What the route says of itself. */
  limit: number | undefined
  settle: SettleForm
}

/** Changes the fields of a submitted form before its route reads them. */
export type SettleForm = (request: Request, fields: Sent, viewer: Viewer) => Sent | Promise<Sent>

/** A form that is larger than it may be is still read up to here, so that what was typed can be shown again. */
export const MOST_SHOWN_AGAIN = 1_048_576

/** Bodies that wait until the gate has let their requests in. */
const waiting = new WeakMap<Request, BodyTerms>()
/** Requests that only ask for something, whatever their method. */
const asking = new WeakSet<Request>()

/** Knows the bodies of a part's routes. Nothing of a body is read before the gate; `receiveBody` is what the gate calls then. */
export class Bodies {
  readonly #terms = new Map<string, BodyTerms>()
  readonly #asking = new Set<string>()
  readonly #settle: SettleForm

  constructor(settle: SettleForm) {
    this.#settle = settle
  }

  /** Routes that read their bodies themselves are left alone. */
  add(route: RouteDeclaration): void {
    const { body, detail } = route.hooks as { body?: FormSchema; detail?: BodyDetail }
    const key = `${route.method} ${route.path}`
    if (detail?.[WRITES_NOTHING]) this.#asking.add(key)
    if (doesReadBody(route)) return
    const isOfVisitors = this.#asking.has(key) || termsOf(detail).some(({ kind }) => kind === 'anyone')
    this.#terms.set(key, { schema: body, isOfVisitors, limit: detail?.[LIMIT], settle: this.#settle })
  }

  /** Has the gate read the body of a request to `path`, a route's. */
  expect(request: Request, path: string): void {
    const key = `${request.method} ${path}`
    const terms = this.#terms.get(key)
    if (terms) waiting.set(request, terms)
    if (this.#asking.has(key)) asking.add(request)
  }
}

/**
 * The body of a request that was let in, as its route wants it; null when it is neither JSON nor a form, or the route reads it itself.
 * @throws TooLarge, TooSlow, Unprocessable; Problem 415 when it is compressed
 */
export async function receiveBody(config: Config, request: Request, viewer: Viewer): Promise<unknown> {
  const terms = waiting.get(request)
  if (!terms) return null
  const contentType = request.headers.get('content-type') ?? ''
  const asForm = isForm(contentType)
  if (!asForm && contentType !== '' && !/json/i.test(contentType)) return null
  refuseCompressed(request)
  const most = limitFor(config, terms, viewer)
  const line = `${viewer.user?.id ?? ''}`
  if (!asForm) return asStruct(await readJson(await readBody(request, most, paceOf(config)), line), Object.keys(terms.schema?.properties ?? {}))
  const bytes = await readBody(request, viewer.via === 'session' ? Math.max(most, MOST_SHOWN_AGAIN) : most, paceOf(config))
  const { length } = bytes
  let read: Promise<Map<string, string[]>> | undefined
  const fields = () => (read ??= readFields(bytes, contentType, line))
  rememberSent(request, fields)
  if (length > most) throw new TooLarge(`The form is too large: at most ${most} bytes are allowed`)
  return asBody(await terms.settle(request, await fields(), viewer), terms.schema)
}

/** A few bytes may unpack to gigabytes, and nothing that the API takes is large. */
function refuseCompressed({ headers }: Request): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding !== 'identity') throw new Problem(415, `Content-Encoding "${encoding}" is not supported. Send the body uncompressed.`)
}

export function doesBodyWait(request: Request): boolean {
  return waiting.has(request)
}

/** Whether the request only asks for something: by its method, or because its route says so. */
export function doesAsk(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || asking.has(request)
}

/** Whether the body that waits is taken of visitors, too. */
export function isBodyOfVisitors(request: Request): boolean {
  return waiting.get(request)?.isOfVisitors === true
}

function limitFor({ api }: Config, { limit }: BodyTerms, viewer: Viewer): number {
  const most = Math.min(limit ?? api.DEFAULT_MAX_BODY_SIZE, api.MAX_BODY_SIZE)
  return viewer.user ? most : Math.min(most, api.MAX_ANONYMOUS_BODY_SIZE)
}

/** How slowly peers may send and take. */
export function paceOf({ server }: Config): Pace {
  return { seconds: server.PROGRESS_SECONDS, bytes: server.PROGRESS_BYTES }
}
