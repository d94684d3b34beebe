import { type AnyElysia, Elysia, ValidationError } from 'elysia'
import { activity } from './activity/index.ts'
import { admin } from './admin/index.ts'
import { apiDocs } from './api-docs/index.ts'
import { avatars, pictures } from './avatars/index.ts'
import { badges } from './badges/index.ts'
import { blocks } from './blocks/index.ts'
import { branches } from './branches/index.ts'
import { collaborators } from './collaborators/index.ts'
import { commits } from './commits/index.ts'
import { contents } from './contents/index.ts'
import type { Context } from './context.ts'
import { follows } from './follows/index.ts'
import { gpgKeys } from './gpg/index.ts'
import { BadRequest, NotFound, Problem, Unprocessable } from './kernel/errors.ts'
import { pathOf, readJson, renderProblem, securityHeaders } from './kernel/http.ts'
import { keys } from './keys/index.ts'
import { labels } from './labels/index.ts'
import { markdown } from './markdown/index.ts'
import { misc, probes } from './misc/index.ts'
import { orgs } from './orgs/index.ts'
import { repos } from './repos/index.ts'
import { stars } from './stars/index.ts'
import { tags } from './tags/index.ts'
import { teams } from './teams/index.ts'
import { gitHttp, isForGit, renderForGit } from './transport/index.ts'
import { unadopted } from './unadopted/index.ts'
import { emails, users } from './users/index.ts'
import { watches } from './watches/index.ts'
import { webhooks } from './webhooks/index.ts'

/**
 * The server, as a list: one line a slice. Tests call this with a context of their own.
 * A "standard hostname" of Elysia's has four letters or more; machines on a LAN are called `nas` or `pi`.
 */
export function build(context: Context) {
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(foundation(context))
    .use(pictures(context))
    .use(probes(context))
    .use(api(context))
    .use(gitHttp(context))
  ignoreUnknown(app.routes)
  return app.use(apiDocs(context, () => app.routes))
}

export type App = ReturnType<typeof build>

/** The JSON API. Its type is given up here: nobody reads it, and so many routes together are more than the compiler follows. */
function api(context: Context): AnyElysia {
  return new Elysia({ prefix: '/api/v1' })
    .use(activity(context))
    .use(admin(context))
    .use(avatars(context))
    .use(badges(context))
    .use(blocks(context))
    .use(branches(context))
    .use(collaborators(context))
    .use(commits(context))
    .use(contents(context))
    .use(follows(context))
    .use(gpgKeys(context))
    .use(keys(context))
    .use(labels(context))
    .use(emails(context))
    .use(markdown(context))
    .use(misc(context))
    .use(orgs(context))
    .use(repos(context))
    .use(stars(context))
    .use(tags(context))
    .use(teams(context))
    .use(unadopted(context))
    .use(users(context))
    .use(watches(context))
    .use(webhooks(context))
}

/** Members of bodies and parameters of queries that a route does not know are ignored, as Gitea's clients expect; Elysia would refuse them. */
function ignoreUnknown(routes: readonly { hooks: { body?: unknown; query?: unknown } }[]): void {
  for (const { hooks } of routes) {
    for (const schema of [hooks.body, hooks.query] as ({ type?: string; additionalProperties?: unknown } | undefined)[]) {
      if (schema?.type === 'object') schema.additionalProperties ??= true
    }
  }
}

/** What every route stands on: how bodies are read, what every answer carries, how errors are rendered. */
function foundation(context: Context) {
  return new Elysia({ name: 'foundation' })
    .headers(securityHeaders)
    .onParse({ as: 'global' }, async ({ request }, contentType) => {
      // Null leaves the body unread, for routes that stream it or take it as it is, whatever it is said to be.
      if ((contentType !== '' && !contentType.includes('json')) || pathOf(request.url) === '/api/v1/markdown/raw' || isForGit(request)) return null
      return readJson(request, await bodyLimit(context, request))
    })
    .onError({ as: 'global' }, ({ error, request }) => {
      const problem = asProblem(error)
      const forGit = problem instanceof Problem ? renderForGit(problem, request) : undefined
      return forGit ?? renderProblem(problem, request, context.rootUrl, context.log)
    })
}

/** Bodies are read before the gate is passed; a large one only from whoever can sign in. @throws Unauthorized, Forbidden as signing in does */
async function bodyLimit(context: Context, request: Request): Promise<number> {
  const { MAX_BODY_SIZE, MAX_ANONYMOUS_BODY_SIZE } = context.config.api
  const declared = Number(request.headers.get('content-length') ?? Infinity)
  if (declared <= MAX_ANONYMOUS_BODY_SIZE || !request.headers.has('authorization')) return MAX_ANONYMOUS_BODY_SIZE
  const viewer = await context.authenticator.viewerOf(request, { toChangePassword: true })
  return viewer.user ? MAX_BODY_SIZE : MAX_ANONYMOUS_BODY_SIZE
}

/** Elysia's own errors as problems of ours. */
function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
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
  if (error.type === 'body' && first?.path === '') return '[body]: a JSON object is expected, sent as Content-Type: application/json'
  const field = first?.path.split('/').filter(Boolean).join('.') ?? error.type
  return `[${field || error.type}]: ${first?.schema.error ?? first?.message ?? 'is not valid'}`
}
