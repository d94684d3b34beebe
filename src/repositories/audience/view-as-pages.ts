import { Elysia, t } from 'elysia'
import { gate, PlayedViewers, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { pathOf, queryOf } from '#kernel/http.ts'
import { oneOf } from '#kernel/schema.ts'
import type { RouteSource } from '#kernel/slice.ts'
import { seeOther, Visit } from '#web/index.ts'
import { type Role, roleNames, viewerPlaying } from './made-up.ts'
import { answerAsked, showAs, showPictureAs } from './shown-as.tsx'

const Params = t.Object({ role: oneOf(roleNames), ...RepoParams.properties })
const DeepParams = t.Object({ ...Params.properties, '*': t.String() })

/**
 * The pages of a repository as somebody else sees them, for its administrators: `/-/as/visitor/ada/engine/issues` is `/ada/engine/issues`
 * asked for again, without the cookie, or in the name of an account that is made up. The gate answers that request as any other, so nothing
 * can be seen that whoever is played does not see; these pages themselves are kept nowhere.
 */
export function viewAsPages(context: Context, server: RouteSource) {
  const show = (asked: Asked) => showPageAs(context, server, asked)
  return new Elysia({ name: 'audience.view-as-pages' })
    .use(gate(context, 'page'))
    .get('/-/as/:role/:owner/:repo', (asked) => show(asked), { repo: 'admin', params: Params, detail: { hide: true } })
    .get('/-/as/:role/:owner/:repo/*', (asked) => show(asked), { repo: 'admin', params: DeepParams, detail: { hide: true } })
}

interface Asked {
  viewer: Visit['viewer']
  repo: RepoAccess
  request: Request
  params: { role: Role }
}

/** @throws NotFound for what is no page, nor a picture on one */
async function showPageAs(context: Context, server: RouteSource, { viewer, repo, request, params: { role } }: Asked): Promise<Response> {
  const visit = new Visit(context, viewer, request)
  const home = visit.to`/${repo.owner.name}/${repo.row.name}`
  // What follows the repository's name: `/-/as/visitor/ada/engine` has six parts.
  const parts = pathOf(request.url).split('/').slice(6)
  const rest = parts.map((part) => `/${part}`).join('') + queryOf(request.url)
  const place = { visit, repo, role, home, prefix: visit.to`/-/as/${role}/${repo.owner.name}/${repo.row.name}`, back: home + rest }
  const below = `/${encodeURIComponent(repo.owner.name)}/${encodeURIComponent(repo.row.name)}${rest}`
  const inner = new Request(new URL(below, request.url).href, { headers: { Accept: 'text/html' } })
  const played = viewerPlaying(role, requireUser(viewer).user, repo.row.id)
  if (played) context.services.get(PlayedViewers).play(inner, played)
  const answer = await server.handle(inner)
  const location = answer.headers.get('location')
  if (location !== null) return location.startsWith(home) ? seeOther(place.prefix + location.slice(home.length)) : answerAsked(place)
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('image/')) return showPictureAs(answer)
  if (!type.startsWith('text/html')) throw new NotFound()
  return showAs(place, answer)
}
