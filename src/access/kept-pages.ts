import type { Context } from '#context.ts'
import { type Encoding, encode, encodingFor } from '#kernel/answers/encoding.ts'
import { type Asker, currentAsker } from '#kernel/askers.ts'
import { IdleTimer } from '#kernel/idle-timer.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { Viewer } from './viewer.ts'

/** A page that lacks something is shown again for so long, in milliseconds: a machine that has too much to do need not make it for each who asks. */
const INCOMPLETE_MS = 2000
/** A page that is shorter goes out as it is: it fits into two or three packets of those that nobody waits for, and packing takes a tenth of its making. */
const WORTH_PACKING = 3000

interface KeptPage {
  body: Uint8Array<ArrayBuffer>
  headers: [string, string][]
  /** Whether it may be shown to those alone who asked while it was made. */
  isPassing: boolean
}

/** What is known of a request for a page. */
interface Asked {
  /** Of the store, before anything was read for the request. */
  version: number
  /** How many things had been left out of pages by then. */
  omitted: number
  encoding: Encoding
  /** What the page is kept by. */
  key: string
  /** Where there is one already. */
  page?: KeptPage
  /** For whom it is made. */
  asker?: Asker | undefined
  /** The page's tag, where whoever asks has it already. */
  unchanged?: string
  /** For those who ask meanwhile; absent where the page is for this request alone. */
  making?: { resolve(page: KeptPage): void; reject(reason: unknown): void }
}

/** Thrown where a request has its answer before its handler is asked: `KeptPages.finish` puts the page in its place. */
export const keptPage = Symbol('the page is there already')

/**
 * Pages as they were answered: who asks for the same gets the same bytes, compressed already, and who asks while a page is made waits for it.
 *
 * What a page shows can come from four things alone, and all of them are in what it is kept by:
 * - the store: by its version, taken before the gate reads anything. A page during whose making something was written is kept by no one;
 * - the viewer: by account, for visitors and browsers that are signed in with a cookie, whom nothing limits. Rights, names and visibility are rows;
 * - the clock: by the tag's window, as for whoever has the page already (`page-tags.ts`);
 * - the request: by its whole address, host and query, the form (page or text) and the encoding. No page reads another header; forms answer
 *   what was typed to a POST, and no cookie but the session's is read by pages that have a tag.
 * Objects of git never change, and settings are those of this run. Pages that tell of what is in memory or on the disk, and of what is
 * shown once, belong to gates that make no tag (`signedIn`, `siteAdmin`, `signingIn` but for what says otherwise, and all that asks for more than
 * reading), or are answered with another `Cache-Control` than pages have; one that says what a form did has no tag either (`DoneNotes`).
 * What leaves something out for want of time says so
 * (`leaveOut`), and is shown again for a moment. The gate is asked each time.
 */
export class KeptPages implements Disposable {
  readonly #context: Context
  readonly #asked = new WeakMap<Request, Asked>()
  #pages: KeptWork<KeptPage> | undefined
  #version: number | undefined
  /** For whom a page is being made, by what it will be kept by. */
  readonly #makers = new Map<string, Asker>()
  #omitted = 0
  readonly #idle = new IdleTimer(() => {
    this.#pages = undefined
  })

  constructor(context: Context) {
    this.#context = context
  }

  /** To be told of a request for a page before anything is read for it, and of its answer by `finish`; without that nothing is kept. */
  expect(request: Request): void {
    const { version } = this.#context.db
    if (version === undefined || request.method !== 'GET' || request.headers.has('authorization')) return
    this.#asked.set(request, { version, omitted: this.#omitted, encoding: 'identity', key: '' })
  }

  /** The state of the store that all is of that was read for the request so far; undefined where it has changed meanwhile. */
  versionFor(request: Request): number | undefined {
    const asked = this.#asked.get(request)
    return asked?.version === this.#context.db.version ? asked?.version : undefined
  }

  /**
   * Resolves when the page is to be made.
   * @param tag of `versionFor`, and of all but the address and the encoding
   * @throws keptPage when it is there already, here or with whoever asks
   */
  async enter(request: Request, tag: string, viewer: Viewer): Promise<void> {
    const asked = this.#asked.get(request)
    if (!asked) return
    if (request.headers.get('if-none-match') === tag) {
      asked.unchanged = tag
      throw keptPage
    }
    asked.encoding = encodingFor(request.headers, viewer.user !== undefined)
    asked.key = `${tag} ${asked.encoding} ${this.#context.rootUrl} ${request.url}`
    const pages = this.#current(asked.version)
    asked.page = pages.find(this.#forAMoment(asked.key))
    if (asked.page) throw keptPage
    const asker = currentAsker()
    asked.asker = asker
    let isOurs = false
    const page = pages.answer(asked.key, () => {
      isOurs = true
      if (asker) this.#makers.set(asked.key, asker)
      return new Promise((resolve, reject) => {
        asked.making = { resolve, reject }
      })
    })
    if (isOurs) return void page.catch(() => {}).finally(() => this.#makers.get(asked.key) === asker && this.#makers.delete(asked.key))
    this.#makers.get(asked.key)?.join(asker)
    // Those who waited for what turned out to be no page that others may see make their own.
    asked.page = await page.catch(() => undefined)
    if (asked.page) throw keptPage
  }

  /** How often something was left out so far. */
  get omitted(): number {
    return this.#omitted
  }

  /** What is being made now lacks something that there was no time for: the pages under way are kept for a moment alone, other answers not at all. */
  leaveOut(): void {
    this.#omitted++
  }

  /** The answer to a request, kept if it may be, or the one that was kept. */
  async finish(request: Request, answer: Response | Promise<Response>): Promise<Response> {
    const asked = this.#asked.get(request)
    if (!asked) return answer
    try {
      const response = await answer
      if (asked.unchanged !== undefined) return new Response(null, { status: 304, headers: { ...unchangedHeaders, ETag: asked.unchanged } })
      if (asked.page) return respond(asked.page)
      return asked.making ? await this.#settle(asked, asked.making, response) : response
    } catch (error) {
      asked.making?.reject(error)
      throw error
    }
  }

  async #settle(asked: Asked, { resolve, reject }: NonNullable<Asked['making']>, response: Response): Promise<Response> {
    if (!mayBeKept(response) || asked.asker?.signal.aborted) {
      reject(new Error('The response cannot be cached'))
      return response
    }
    const isIncomplete = asked.omitted !== this.#omitted
    if (isIncomplete) response.headers.delete('etag')
    const { body, headers } = await pack(response, asked.encoding)
    const isOutdated = asked.version !== this.#context.db.version
    const page = { body, headers, isPassing: isIncomplete || isOutdated }
    resolve(page)
    if (isIncomplete && !isOutdated) void this.#current(asked.version).answer(this.#forAMoment(asked.key), async () => ({ ...page, isPassing: false }))
    return respond(page)
  }

  /** By what a page is kept that lacks something. */
  #forAMoment(key: string): string {
    return `${Math.floor(this.#context.clock.millis() / INCOMPLETE_MS)} ${key}`
  }

  #current(version: number): KeptWork<KeptPage> {
    this.#idle.touch()
    if (this.#pages === undefined || version !== this.#version) {
      const most = this.#context.config.server.PAGE_CACHE_SIZE
      this.#pages = new KeptWork(most, ({ body, isPassing }) => (isPassing ? Number.POSITIVE_INFINITY : body.length))
      this.#version = version
    }
    return this.#pages
  }

  [Symbol.dispose](): void {
    this.#idle[Symbol.dispose]()
    this.#pages = undefined
  }
}

/** A whole page that says nothing of not being kept: what is shown once, and what changes by itself, is answered `no-store`. */
function mayBeKept({ status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  const isPage = type.startsWith('text/html') || type.startsWith('text/plain')
  return status === 200 && isPage && headers.get('cache-control') === 'private, no-cache' && !headers.has('set-cookie') && !headers.has('refresh')
}

async function pack(response: Response, encoding: Encoding): Promise<Pick<KeptPage, 'body' | 'headers'>> {
  const plain = (await response.bytes()) as Uint8Array<ArrayBuffer>
  const isPacked = encoding !== 'identity' && plain.length > WORTH_PACKING
  const body = isPacked ? encode(plain, encoding) : plain
  const { headers } = response
  headers.delete('content-length')
  if (isPacked) headers.set('content-encoding', encoding)
  return { body, headers: [...headers] }
}

const unchangedHeaders = { 'Cache-Control': 'private, no-cache', 'X-Content-Type-Options': 'nosniff' }

function respond({ body, headers }: KeptPage): Response {
  return new Response(body, { headers })
}
