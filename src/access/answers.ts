import type { Context } from '#context.ts'
import { JSON_TYPE, pathOf, queryOf } from '#kernel/http.ts'
import type { Viewer } from './viewer.ts'

/** What of a request an answer depends on, once the gate has let it in. */
interface Asked {
  viewer: Viewer
  request: Request
  set: { headers: Record<string, string | number> }
}

interface Answer {
  json: string
  /** That the handler set. */
  headers: Record<string, string | number>
}

/**
 * Lists as they were answered: whoever asks the same again gets the same, until anything at all changes in the store.
 *
 * A full page of issues holds people, labels, milestones, files and names of repositories. To keep each issue's record by itself, one
 * would have to know of every change that shows in it, a follower more of somebody's, and one that is forgotten shows what is no longer so.
 * One number for the whole store (`Database.version`, which counts other processes' writes, too) cannot forget any. It costs that each
 * write has the next reader wait for a list that is made anew; between two writes, most of what clients do is to ask for the same again.
 *
 * Only for what is made of the store, the settings and the viewer's rights, and of no clock, disk or memory. The gate is asked each time.
 */
export class Answers {
  readonly #context: Pick<Context, 'config' | 'db' | 'rootUrl'>
  readonly #answers = new Map<string, Answer>()
  #version: number | undefined
  #rootUrl = ''
  #size = 0

  constructor(context: Pick<Context, 'config' | 'db' | 'rootUrl'>) {
    this.#context = context
  }

  /**
   * The answer to a request, of a `GET` that lists something.
   * @param make the list's records, field by field: no schema looks at them again; or a promise of them, where they are long in coming
   */
  keep({ viewer, request, set }: Asked, make: () => unknown): Response | Promise<Response> {
    this.#forgetOutdated()
    const key = keyOf(viewer, request)
    const known = key === undefined ? undefined : this.#answers.get(key)
    if (known) {
      Object.assign(set.headers, known.headers)
      return respond(known.json)
    }
    const version = this.#version
    const answer = (list: unknown) => {
      const json = JSON.stringify(list)
      if (key !== undefined) this.#add(key, { json, headers: { ...set.headers } }, version)
      return respond(json)
    }
    const list = make()
    return list instanceof Promise ? list.then(answer) : answer(list)
  }

  #forgetOutdated(): void {
    const { version } = this.#context.db
    if (version !== undefined && version === this.#version && this.#rootUrl === this.#context.rootUrl) return
    this.#version = version
    this.#rootUrl = this.#context.rootUrl
    this.#clear()
  }

  /** @param version of the store that it was begun with */
  #add(key: string, answer: Answer, version: number | undefined): void {
    const size = key.length + answer.json.length
    const most = this.#context.config.api.ANSWER_CACHE_SIZE
    // The store has changed since, or there is no room for it.
    if (version === undefined || this.#version !== version || this.#context.db.version !== version || size > most) return
    if (this.#size + size > most) this.#clear()
    this.#answers.set(key, answer)
    this.#size += size
  }

  #clear(): void {
    this.#answers.clear()
    this.#size = 0
  }
}

/** Undefined for who shows a token in the query: it would be in the key, and is deprecated anyway; and for tokens that are no rows of the store's own. */
function keyOf({ user, grant, tokenId, via, queryToken }: Viewer, request: Request): string | undefined {
  if (queryToken || (grant && tokenId === undefined)) return undefined
  return `${user?.id ?? 0} ${tokenId ?? via} ${pathOf(request.url)}${queryOf(request.url)}`
}

function respond(json: string): Response {
  return new Response(json, { headers: { 'Content-Type': JSON_TYPE } })
}
