import { NotFound, Problem } from '#kernel/errors.ts'
import { pathOf, queryOf } from '#kernel/http.ts'

/**
 * To the same address, with the two path segments `before` replaced by `after`; git's own paths end the second with `.git` or `.wiki.git`.
 * 301 for what only reads; 307 for the rest, as in Gitea: clients make a `GET` of what a 301 answers, and believe it was done.
 */
export function movedTo(request: Request, before: [string, string], after: [string, string]): Problem {
  const segments = pathOf(request.url).split('/')
  const at = segments.findIndex((_, i) => before.every((name, k) => nameIn(segments[i + k]) === name.toLowerCase()))
  if (at < 0) return new NotFound()
  const rest = ending.exec(segments[at + 1] ?? '')?.[0] ?? ''
  const location = segments.with(at, encodeURIComponent(after[0])).with(at + 1, encodeURIComponent(after[1]) + rest)
  const status = ['GET', 'HEAD'].includes(request.method) ? 301 : 307
  return new Problem(status, 'Moved', { headers: { Location: location.join('/') + queryOf(request.url) } })
}

/** What paths have behind a repository's name: its wiki, git's own ending, feeds. */
const ending = /(?:\.(?:rss|atom)|(?:\.wiki)?(?:\.git)?)$/i

/** The name a path segment stands for. */
function nameIn(segment = ''): string | undefined {
  try {
    return decodeURIComponent(segment).toLowerCase().replace(ending, '')
  } catch {
    return undefined
  }
}
