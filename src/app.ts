import { type AnyElysia, Elysia, ValidationError } from 'elysia'
import {
  AccountNotReady,
  Answers,
  Bodies,
  type CrossOrigin,
  crossOriginOf,
  gitProblem,
  isRepoGone,
  KeptPages,
  keptPage,
  networkOf,
  noteLoss,
  type Viewer,
} from '#access/index.ts'
import { GitError } from '#git/errors.ts'
import { AwaitedAnswers } from '#kernel/answers/awaited-answers.ts'
import { answerAsDeclared, countList, trustAnswers } from '#kernel/answers/declared-answers.ts'
import { countHeld, isCrowded } from '#kernel/answers/held-answers.ts'
import { withLength } from '#kernel/answers/serve-content.ts'
import { Asker, onBehalfOf } from '#kernel/askers.ts'
import { Replacements } from '#kernel/bodies/replacements.ts'
import type { Sent } from '#kernel/bodies/sent-form.ts'
import { BadRequest, LinkOver, NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { formPageOf, isPageAsked } from '#kernel/form-pages.ts'
import { asksForText, pathOf, queryOf, renderProblem, renderUnexpected, securityHeaders } from '#kernel/http.ts'
import { askedAt, hasNoHost, hasOddHost } from '#kernel/request-url.ts'
import { type RouteEntry, RouteTable } from '#kernel/route-table.ts'
import type { RouteDeclaration, RouteSource, Slice } from '#kernel/slice.ts'
import { mainTurns } from '#kernel/turns.ts'
import type { Context } from './context.ts'
import { slices } from './slices.ts'

/** Where the JSON API is mounted. */
export const API = '/api/v1'

/**
 * Whoever has the server's address, or that of its API, with a slash at its end puts paths behind it that begin with one: `//ada/engine.git`,
 * `/api/v1//version`. Further on an empty name is nobody's, and the path without it another's.
 */
const SLASHES = /^\/+(api\/v1\/)?\/*/
/** Programs are set up with such addresses: the API's paths, and git's. */
const OF_PROGRAMS = /^\/(?:api\/v1\/|[^/]+\/[^/]+\.git\/)/

/** The table of all routes as JSON, put in by `build/compile.ts`: the executable need not load every room to find one. */
declare const COMPILED_ROUTES: string | undefined

/** A part of the server that is built whole: a room's operations, or what it answers elsewhere. */
interface Part {
  name: string
  prefix: string
  load: NonNullable<Slice<Context>['routes']>
  renderProblem?: Slice<Context>['renderProblem']
}

/** The server, as a list: `slices.ts`. Tests call this with a context of their own. */
export function build(context: Context): App {
  return new App(context)
}

/** What the names of parts with pages end with. */
const PAGES = ' pages'

/** Every part that answers requests, of every room. */
const parts: readonly Part[] = slices.flatMap(({ name, routes, pages, renderProblem }) => [
  ...(routes ? [{ name, prefix: API, load: routes }] : []),
  ...(pages ? [{ name: `${name}${PAGES}`, prefix: '', load: pages, renderProblem }] : []),
])

/** The same for every context: which routes there are is no setting. */
let knownTable: RouteTable | undefined = typeof COMPILED_ROUTES === 'undefined' ? undefined : new RouteTable(JSON.parse(COMPILED_ROUTES))

/** Finds the room that a request is for, and builds it with its first request. */
export class App implements RouteSource {
  readonly #context: Context
  readonly #parts = new Map<string, Promise<AnyElysia>>()
  /** Those of `#parts` that are ready, so that a request to one of them waits for nothing. */
  readonly #ready = new Map<string, AnyElysia>()
  readonly #crossOrigin: CrossOrigin | undefined
  readonly #answers: Answers
  /** How many changes there had been in the store when a request came that may make one. */
  readonly #changesBefore = new WeakMap<Request, number>()
  readonly #replacements = new Replacements()
  #server: Bun.Server<unknown> | null = null
  #awaited: AwaitedAnswers | undefined

  constructor(context: Context) {
    this.#context = context
    this.#crossOrigin = crossOriginOf(context.config)
    this.#answers = context.services.get(Answers)
  }

  /** The server that requests come from, once it listens: some routes ask it for addresses and deadlines. */
  set server(server: Bun.Server<unknown>) {
    this.#server = server
    this.#awaited = new AwaitedAnswers(server)
    this.#context.clients.server = server
    for (const part of this.#ready.values()) part.server = server as never
  }

  /** For `Bun.serve`: `fetch`, in turns, whose answers are counted when there are many. */
  readonly answer = (request: Request): Response | Promise<Response> => {
    if (!mainTurns.isOver()) return this.#answer(request)
    const { signal } = request
    return mainTurns.later(() => (signal.aborted ? new Response(null) : this.#answer(request)), this.#sendersOf(request))
  }

  /** The place that a request comes from, and who shares it with others: names that anybody makes up have the turns of their place together. */
  #sendersOf(request: Request): string[] {
    const { headers } = request
    return [networkOf(this.#context.clients.of(request)), headers.get('authorization') ?? headers.get('cookie') ?? '']
  }

  #answer(request: Request): Response | Promise<Response> {
    const server = this.#server
    if (hasNoHost(request)) Object.defineProperty(request, 'url', { value: new URL(this.#context.rootUrl).origin + request.url })
    const answer = this.fetch(request)
    if (answer instanceof Promise) this.#awaited?.add(request, answer)
    return server && isCrowded(server) ? this.#count(answer, request, server) : answer
  }

  /** Whoever asks from within asks here. */
  readonly fetch = (request: Request): Response | Promise<Response> => {
    return this.#crossOrigin ? this.#crossOrigin.answer(request, () => this.#admit(request)) : this.#admit(request)
  }

  /** For `Bun.serve`, too: what no request's own handling took up. Nobody is shown a page of Bun's own. */
  readonly error = (error: unknown): Response => {
    this.#context.disk.report(error)
    return renderUnexpected(error, this.#context.rootUrl, this.#context.log)
  }

  async #count(answer: Response | Promise<Response>, request: Request, server: Bun.Server<unknown>): Promise<Response> {
    try {
      return await countHeld(this.#context, request, await answer, server)
    } catch (error) {
      return this.#told(error, request)
    }
  }

  #admit(request: Request): Response | Promise<Response> {
    const { db } = this.#context
    if (request.method === 'GET' || request.method === 'HEAD')
      return (carriesForm(request) ? undefined : this.#answers.repeat(request)) ?? onBehalfOf(new Asker(request), () => this.#serve(request))
    this.#changesBefore.set(request, db.changes)
    return this.#serve(request)
  }

  #serve(request: Request): Response | Promise<Response> {
    if (knownTable === undefined) return this.#loadTable().then(() => this.#serve(request))
    if (hasOddHost(request)) return this.#refuseHost(request)
    if (request.url.includes('go-get=1')) return this.#answerGo(request, knownTable)
    return this.#route(request, knownTable)
  }

  #route(request: Request, table: RouteTable): Response | Promise<Response> {
    const name = table.find(request.method, pathOf(request.url))
    if (name === undefined) return this.#refuse(request, table)
    const ready = this.#ready.get(name)
    return ready ? this.#ask(name, ready, request) : this.#part(name).then((part) => this.#ask(name, part, request))
  }

  /** The go command asks at any path of a repository, whether or not something is there. */
  async #answerGo(request: Request, table: RouteTable): Promise<Response> {
    const isAsked = new URLSearchParams(queryOf(request.url)).get('go-get') === '1' && !pathOf(request.url).startsWith('/api/')
    const { answerGoGet } = await import('#doors/pages/index.ts')
    return (isAsked ? answerGoGet(this.#context, request) : undefined) ?? this.#route(request, table)
  }

  #ask(name: string, part: AnyElysia, request: Request): Response | Promise<Response> {
    const answer = this.#askPart(name, part, request)
    if (request.method !== 'POST' || !(answer instanceof Promise)) return answer
    return answer.finally(() => this.#replacements.end(request))
  }

  /** Elysia tells by a handler's source text whether to wait for it; one that fails later than that text shows fails past its error handling. */
  #askPart(name: string, part: AnyElysia, request: Request): Response | Promise<Response> {
    if (name.endsWith(PAGES) && (request.method === 'GET' || asksForText(request))) return this.#askForPage(name, part, request)
    if (name.endsWith(PAGES) && request.method === 'POST') return this.#sendForm(name, part, request)
    const answer = part.fetch(request)
    if (!(answer instanceof Promise)) return answer
    const told = request.method === 'HEAD' ? answer.then((response) => withLength(request, response) ?? response) : answer
    return told.catch((error) => this.#renderFailure(name, error, request))
  }

  /** Whether or not somebody was shown it before. Who asks from a terminal gets it as text. */
  async #askForPage(name: string, part: AnyElysia, request: Request): Promise<Response> {
    const pages = this.#context.services.get(KeptPages)
    pages.expect(request)
    try {
      const answer = part.fetch(request)
      const filled = carriesForm(request) ? (await import('#web/index.ts')).fillCarriedForm(this.#context, request, answer) : answer
      return await pages.finish(request, asksForText(request) ? inText(filled, this.#context.clients.of(request)) : filled)
    } catch (error) {
      return this.#renderFailure(name, error, request)
    }
  }

  /** What was typed stays in a form that is refused. */
  async #sendForm(name: string, part: AnyElysia, request: Request): Promise<Response> {
    try {
      const answer = await part.fetch(request)
      if (answer.status < 400 || !answer.headers.get('content-type')?.startsWith('text/html')) return answer
      const { keepTyped } = await import('#web/index.ts')
      return await keepTyped(this.#context, request, answer)
    } catch (error) {
      return this.#renderFailure(name, error, request)
    }
  }

  async #settle(request: Request, fields: Sent, { user }: Viewer): Promise<Sent> {
    await this.#replacements.begin(request, user ? `user ${user.id}` : networkOf(this.#context.clients.of(request)))
    const { settleForm } = await import('#web/index.ts')
    return settleForm(this.#context, request, fields, this.fetch)
  }

  #renderFailure(name: string, error: unknown, request: Request): Response | Promise<Response> {
    return this.#told(error, request, parts.find((one) => one.name === name)?.renderProblem)
  }

  /** Whatever a handler throws as an answer. @param renderOwn how its room says such things, where that is not the usual way */
  #told(error: unknown, request: Request, renderOwn?: Part['renderProblem']): Response | Promise<Response> {
    if (error === keptPage) return new Response(null)
    this.#context.disk.report(error)
    // Of a repository that was deleted meanwhile nothing was lost.
    noteLoss(this.#context, error, request)
    const problem = error instanceof GitError && isRepoGone(this.#context.db, request) ? new NotFound(undefined, { cause: error }) : asProblem(error)
    return problem instanceof Problem && renderOwn ? renderOwn(problem) : this.#renderForAsker(problem, request)
  }

  /** People get a page, programs JSON: those do not say that they accept HTML. */
  #renderForAsker(problem: unknown, request: Request): Response | Promise<Response> {
    const { rootUrl, log, db } = this.#context
    const before = this.#changesBefore.get(request)
    const answer = renderProblem(problem, request, rootUrl, log, before !== undefined && before !== db.changes)
    const isForPeople = request.headers.get('accept')?.includes('text/html') && !pathOf(request.url).startsWith('/api/')
    if (!isForPeople || answer.status < 400) return answer
    return import('#web/index.ts').then(({ renderProblemPage }) =>
      renderProblemPage(this.#context, answer, request, this.fetch, {
        ...(problem instanceof AccountNotReady ? { donePath: problem.donePath } : {}),
        isTold: problem instanceof LinkOver,
      }),
    )
  }

  /** `fetch` for tests: always a promise. */
  async handle(request: Request): Promise<Response> {
    return this.fetch(request)
  }

  /** Every route there is, as it declares itself; loads all rooms. */
  async routes(): Promise<readonly RouteDeclaration[]> {
    return (await this.parts()).flatMap(({ routes }) => routes as readonly RouteDeclaration[])
  }

  /** All parts of the server, built. */
  parts(): Promise<AnyElysia[]> {
    return Promise.all(parts.map(({ name }) => this.#part(name)))
  }

  /** What the table that `build/compile.ts` puts into the executable is made of. */
  async routeEntries(): Promise<RouteEntry[]> {
    const built = await Promise.all(parts.map(async ({ name }) => [name, await this.#part(name)] as const))
    return built.flatMap(([name, { routes }]) => routes.map(({ method, path }) => [name, method, path] as const))
  }

  async #loadTable(): Promise<void> {
    knownTable = RouteTable.of(await this.routeEntries())
  }

  #part(name: string): Promise<AnyElysia> {
    const known = this.#parts.get(name)
    if (known) return known
    const part = parts.find((one) => one.name === name)
    if (!part) throw new Error(`There is no part of the server called ${name}`)
    const loading = part.load().then((routes) => this.#assemble(part, routes(this.#context, this)))
    this.#parts.set(name, loading)
    // What could not be loaded is tried again with the next request.
    loading.catch(() => this.#parts.delete(name))
    return loading
  }

  /** A "standard hostname" of Elysia's has four letters or more; machines on a LAN are called `nas` or `pi`. */
  #assemble({ name, prefix, renderProblem }: Part, routes: AnyElysia): AnyElysia {
    const bodies = new Bodies((request, fields, viewer) => (name.endsWith(PAGES) && fields.has('made_from') ? this.#settle(request, fields, viewer) : fields))
    if (typeof COMPILED_ROUTES !== 'undefined') for (const route of routes.routes as readonly RouteDeclaration[]) trustAnswers(route)
    const built = new Elysia({ normalize: false, prefix: prefix as '', handler: { standardHostname: false } })
      .use(foundation(bodies, (error, request) => this.#told(error, request, renderProblem)))
      .use(routes)
    ignoreUnknown(built.routes)
    for (const route of built.routes as readonly RouteDeclaration[]) {
      bodies.add(route)
      answerAsDeclared(route)
      countList(route)
    }
    if (this.#server) built.server = this.#server as never
    this.#ready.set(name, built)
    return built
  }

  /** Never as a page: no address can be made of what was asked for. */
  #refuseHost(request: Request): Response {
    const { rootUrl, log } = this.#context
    return renderProblem(new BadRequest('Invalid Host header: exactly one with a valid host name is required.'), request, rootUrl, log)
  }

  /** No route has this path, or none with this method. */
  #refuse(request: Request, table: RouteTable): Response | Promise<Response> {
    const path = pathOf(request.url)
    const methods = table.methodsAt(path)
    // HAProxy's default health check is `OPTIONS / HTTP/1.0`.
    if (methods.length > 0 && request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: [...methods, 'OPTIONS'].join(', ') } })
    const form = methods.length > 0 && isPageAsked(request) ? formPageOf(path, table) : undefined
    if (form !== undefined) return this.#render(new Problem(303, 'See Other', { headers: { Location: form } }), request)
    if (methods.length > 0) return this.#render(new Problem(405, 'Method Not Allowed', { headers: { Allow: methods.join(', ') } }), request)
    const meant = path.replace(SLASHES, '/$1')
    const isMeant = meant !== path && OF_PROGRAMS.test(meant)
    return isMeant ? this.#route(askedAt(request, meant), table) : this.#render(new NotFound('Not Found'), request)
  }

  #render(problem: Problem, request: Request): Response | Promise<Response> {
    return this.#told(problem, request)
  }
}

/** Returns whether the browser was signed out when it submitted a form; see `CarriedForms`. */
function carriesForm({ headers }: Request): boolean {
  return headers.get('cookie')?.includes('_typed=') === true
}

async function inText(answer: Response | Promise<Response>, line: string): Promise<Response> {
  const { answerInText } = await import('#web/index.ts')
  return answerInText(await answer, line)
}

/** Members of bodies and parameters of queries that a route does not know are ignored, as Gitea's clients expect; Elysia would refuse them. */
function ignoreUnknown(routes: readonly { hooks: { body?: unknown; query?: unknown } }[]): void {
  for (const { hooks } of routes) {
    for (const schema of [hooks.body, hooks.query] as ({ type?: string; additionalProperties?: unknown } | undefined)[]) {
      if (schema?.type === 'object') schema.additionalProperties ??= true
    }
  }
}

/**
 * What every route stands on: how bodies are read, what every answer carries, how errors are rendered.
 * @param bodies of the part's routes
 */
function foundation(bodies: Bodies, told: (error: unknown, request: Request) => Response | Promise<Response>) {
  return new Elysia({ name: 'foundation' })
    .headers(securityHeaders)
    .onParse({ as: 'global' }, ({ request, route, path }) => {
      // Null leaves the body unread. Paths without parameters have no `route`.
      bodies.expect(request, route ?? path)
      return null
    })
    .onError({ as: 'global' }, ({ error, request }) => told(error, request))
}

/** Elysia's own errors, and the git library's, as problems of ours. */
function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (error instanceof GitError) return gitProblem(error)
  if (error instanceof ValidationError) return new Unprocessable(describeInvalid(error))
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (code === 'PARSE' && cause instanceof Problem) return cause
  if (code === 'NOT_FOUND') return new NotFound('Not Found')
  if (code === 'PARSE') return new BadRequest('Cannot parse the body')
  return error
}

/** Gitea's form: `[FieldName]: reason`. */
function describeInvalid(error: ValidationError): string {
  const first = error.valueError
  if (error.type === 'body' && first?.path === '') return '[body]: expected a JSON object, sent as Content-Type: application/json'
  const field = first?.path.split('/').filter(Boolean).join('.') ?? error.type
  const reason = first?.message === 'Expected required property' ? `${field} is required` : first?.message
  return `[${field || error.type}]: ${first?.schema.error ?? reason ?? 'is not valid'}`
}
