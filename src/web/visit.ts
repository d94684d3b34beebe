import { Interests } from '#access/hooks.ts'
import { accessTo, canSee, type Done, DoneNotes, type RepoAccess, readableBy, type Viewer, visibleTo } from '#access/index.ts'
import type { Context } from '#context.ts'
import { encodePath, pathOf, queryOf } from '#kernel/http.ts'
import { icons } from './assets.ts'
import { UnreadCounter } from './hooks.ts'
import { whichHold } from './interest-store.ts'

type VisitContext = Pick<Context, 'rootUrl' | 'config' | 'db' | 'services'>

/** Who looks at which page, and how its links begin. */
export class Visit {
  readonly viewer: Viewer
  /** Path and query as the server was asked for them, below its root. */
  readonly path: string
  /** The server's root as this browser reaches it, `http://host:port/`, with the trailing slash. */
  readonly root: string
  /** Where the sprite of icons is. */
  readonly icons: string
  /** Its path, `/` or below what a proxy gives us: links on pages begin with it, so they hold under every name of the server. */
  readonly #base: string
  readonly #context: VisitContext
  /** Whether what is answered is what people look at next: a page, and no part of one that a script asks for. */
  readonly #isShown: boolean
  #news: number | undefined

  constructor(context: VisitContext, viewer: Viewer, request: Request) {
    this.#context = context
    this.viewer = viewer
    this.path = pathOf(request.url) + queryOf(request.url)
    this.root = context.config.server.ROOT_URL === '' ? `${new URL(request.url).origin}/` : context.rootUrl
    this.#base = new URL(this.root).pathname
    this.#isShown = request.method === 'GET' && (request.headers.get('sec-fetch-dest') ?? 'document') === 'document' && !request.headers.has('sec-purpose')
    this.icons = `${this.#base}assets/web/${icons.name}`
  }

  /** For pages whose like there is by the thousand: robots need not keep them. */
  readonly unindexed = { 'X-Robots-Tag': 'noindex' }

  /** Whether the viewer starred a repository, and whether they watch it; undefined for visitors. */
  interestIn(repoId: number): { stars: boolean; watches: boolean } | undefined {
    const { user } = this.viewer
    const { db, services } = this.#context
    if (!user) return undefined
    const interests = services.get(Interests)
    const [stars = false, watches = false] = whichHold(db, repoId, [interests.starring.ofFew(user.id), interests.watching.ofFew(user.id)])
    return { stars, watches }
  }

  /** How much waits for the viewer to read it. */
  countNews(): number {
    const { viewer } = this
    if (!viewer.user) return 0
    this.#news ??= this.#context.services.get(UnreadCounter).count(this.#context.db, viewer.user.id, {
      issues: readableBy(viewer, 'issues'),
      pulls: readableBy(viewer, 'pulls'),
      repos: visibleTo(viewer),
    })
    return this.#news
  }

  /** Has the next page say what was done; see `answerDone`. */
  leaveNote(done: Done): void {
    this.#context.services.get(DoneNotes).leave(this.viewer, done)
  }

  /** What this page is to say was done, once. */
  takeNote(): Done | undefined {
    return this.#isShown ? this.#context.services.get(DoneNotes).take(this.viewer) : undefined
  }

  /** A repository that another one names by its id, if the viewer may see it. */
  findRepo(id: number): RepoAccess | undefined {
    const repo = accessTo(this.#context.db, this.viewer, id)
    return repo && canSee(repo.permission) ? repo : undefined
  }

  /** An address on this server: ``visit.to`/${owner}/${repo}/src/${path}` ``. What is put in is encoded, slashes in it stay. */
  to(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
    let path = parts[0] as string
    for (let i = 0; i < values.length; i++) path += encodePath(String(values[i])) + parts[i + 1]
    return this.below(path)
  }

  /** The same in full, with host and all, for what is read elsewhere. What it begins with has no slash before it. */
  at(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
    return this.root + this.to(parts, ...values).slice(this.#base.length)
  }

  /** The page's own address in full. */
  get here(): string {
    return this.root + this.path.slice(1)
  }

  /** The address of a path as `path` has it. */
  below(path: string): string {
    return this.#base + path.replace(/^\/+/, '')
  }
}

/** A path of ours that a form or query names as where to go next; anything that would lead elsewhere is the home page. */
export function safeReturn(path: string | undefined): string {
  const url = path?.startsWith('/') ? URL.parse(path, 'http://ours.invalid') : null
  if (url?.origin !== 'http://ours.invalid' || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}
