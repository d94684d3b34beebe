import type { Context } from '#context.ts'
import { JSON_TYPE, pathOf, queryOf } from '#kernel/http.ts'
import { IdleTimer } from '#kernel/idle-timer.ts'
import { totalHeaders } from '#kernel/page.ts'
import { passed } from './gated.ts'
import { KeptPages } from './kept-pages.ts'
import { authorizationIn } from './methods/credentials.ts'
import type { Viewer } from './viewer.ts'

/** What of a request an answer depends on, once the gate has let it in. */
interface Asked {
  viewer: Viewer
  request: Request
  set: { headers: Record<string, string | number> }
}

interface Answer {
  json: string
  /** All that the answer went out with. */
  headers: Record<string, string>
}

/** An answer to just the request that was answered with it. */
interface Repeatable {
  json: string
  headers: Headers
  /** Whether `Authorization` says who asks; else nothing may. */
  isOfToken: boolean
  /** In milliseconds. */
  until: number
}

/** The gate notes once a minute that a token is used. */
const TOKEN_MS = 60_000

/**
 * Records and lists as they were answered: whoever asks the same again gets the same, until anything at all changes in the store.
 *
 * A full page of issues holds people, labels, milestones, files and names of repositories. To keep each issue's record by itself, one
 * would have to know of every change that shows in it, a follower more of somebody's, and one that is forgotten shows what is no longer so.
 * One number for the whole store (`Database.version`, which counts other processes' writes, too) cannot forget any. It costs that each
 * write has the next reader wait for a list that is made anew; between two writes, most of what clients do is to ask for the same again.
 *
 * Only for programs, and for what is made of the store, the settings and the viewer's rights, of git's objects, and of no clock, disk or
 * memory. What the gate finds is made of the same: a request that comes again just as it was, of a visitor or with a token, has its answer
 * before it is routed.
 */
export class Answers implements Disposable {
  readonly #context: Context
  readonly #answers = new Map<string, Answer>()
  /** By address, and by `Authorization` where something is in it. */
  readonly #repeatable = new Map<string, Repeatable>()
  #version: number | undefined
  #rootUrl = ''
  #size = 0
  readonly #idle = new IdleTimer(() => this.#clear())

  constructor(context: Context) {
    this.#context = context
  }

  /** The answer to a request that came before just as it is; to be asked before anything else is. */
  repeat(request: Request): Response | undefined {
    try {
      return this.#repeatable.size > 0 && request.method === 'GET' ? this.#findRepeatable(request) : undefined
    } catch {
      // What goes wrong with whoever asks, or with the store, is told by what is asked next.
      return undefined
    }
  }

  #findRepeatable(request: Request): Response | undefined {
    const { headers } = request
    const known = this.#repeatable.get(nameOf(request))
    if (!known || this.#isOutdated() || this.#context.clock.millis() > known.until || headers.get('host')?.includes(',')) return undefined
    this.#idle.touch()
    const isOfSame = !headers.has('sudo') && (known.isOfToken || this.#context.authenticator.isVisitor(request))
    return isOfSame ? new Response(known.json, { headers: known.headers }) : undefined
  }

  /**
   * The answer to a `GET` that the gate has let in.
   * @param make the records, field by field: no schema looks at them again; or a promise of them, where they are long in coming. What is
   * an answer already is too long to be kept
   */
  keep(asked: Asked, make: () => unknown): Response | Promise<Response> {
    if (this.#isOutdated()) this.#beginAnew()
    this.#idle.touch()
    const key = keyOf(asked)
    const known = key === undefined ? undefined : this.#answers.get(key)
    if (known) {
      Object.assign(asked.set.headers, known.headers)
      return respond(known.json)
    }
    const pages = this.#context.services.get(KeptPages)
    const { omitted } = pages
    const answer = (made: unknown) => {
      if (made instanceof Response) return made
      if (Array.isArray(made) && asked.set.headers['X-Total-Count'] === undefined) Object.assign(asked.set.headers, totalHeaders(made.length))
      const json = JSON.stringify(made)
      if (key !== undefined && omitted === pages.omitted) this.#add(key, asked, json)
      return respond(json)
    }
    const made = make()
    return made instanceof Promise ? made.then(answer) : answer(made)
  }

  [Symbol.dispose](): void {
    this.#idle[Symbol.dispose]()
    this.#clear()
  }

  #isOutdated(): boolean {
    const { version } = this.#context.db
    return version === undefined || version !== this.#version || this.#rootUrl !== this.#context.rootUrl
  }

  #add(key: string, { viewer, request, set }: Asked, json: string): void {
    // Of the store as the gate saw it.
    const { version } = passed(request)
    const size = 2 * (key.length + json.length)
    const most = this.#context.config.api.ANSWER_CACHE_SIZE
    // The store has changed since, or there is no room for it.
    if (version === undefined || this.#version !== version || this.#context.db.version !== version || size > most) return
    if (this.#size + size > most) this.#clear()
    this.#size += size
    const headers = { ...(set.headers as Record<string, string>) }
    this.#answers.set(key, { json, headers })
    if (!isRepeatable(viewer, request)) return
    const isOfToken = viewer.via === 'token'
    this.#repeatable.set(nameOf(request), {
      json,
      headers: new Headers({ 'Content-Type': JSON_TYPE, ...headers }),
      isOfToken,
      until: isOfToken ? this.#context.clock.millis() + TOKEN_MS : Number.POSITIVE_INFINITY,
    })
  }

  /** Takes nothing over from before a change. */
  #beginAnew(): void {
    this.#version = this.#context.db.version
    this.#rootUrl = this.#context.rootUrl
    this.#clear()
  }

  #clear(): void {
    this.#answers.clear()
    this.#repeatable.clear()
    this.#size = 0
  }
}

/** Undefined for who shows a token in the query: it would be in the key, and is deprecated anyway; and for tokens that are no rows of the store's own. */
function keyOf({ viewer: { user, grant, tokenId, via, queryToken }, request }: Asked): string | undefined {
  if (queryToken || (grant && tokenId === undefined)) return undefined
  return `${user?.id ?? 0} ${tokenId ?? via} ${pathOf(request.url)}${queryOf(request.url)}`
}

/** What a repeatable answer is known by. */
function nameOf({ headers, url }: Request): string {
  const authorization = headers.get('authorization')
  return authorization ? `${authorization} ${url}` : url
}

/** Whether who asks is in the request's address and `Authorization` alone. */
function isRepeatable({ via, tokenId }: Viewer, request: Request): boolean {
  if (request.method !== 'GET' || request.headers.has('sudo')) return false
  if (via === 'anonymous') return true
  const { scheme } = authorizationIn(request) ?? {}
  return via === 'token' && tokenId !== undefined && (scheme === 'token' || scheme === 'bearer')
}

function respond(json: string): Response {
  return new Response(json, { headers: { 'Content-Type': JSON_TYPE } })
}
