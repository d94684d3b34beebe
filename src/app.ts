import { Elysia, ValidationError } from 'elysia'
import { admin } from './admin/index.ts'
import { apiDocs } from './api-docs/index.ts'
import { branches } from './branches/index.ts'
import { commits } from './commits/index.ts'
import { contents } from './contents/index.ts'
import type { Context } from './context.ts'
import { BadRequest, NotFound, Problem, Unprocessable } from './kernel/errors.ts'
import { readJson, renderProblem, securityHeaders } from './kernel/http.ts'
import { misc } from './misc/index.ts'
import { repos } from './repos/index.ts'
import { tags } from './tags/index.ts'
import { gitHttp } from './transport/index.ts'
import { avatars, users } from './users/index.ts'

/** The server, as a list: one line a slice. Tests call this with a context of their own. */
export function build(context: Context) {
  const app = new Elysia({ normalize: false }).use(foundation(context)).use(avatars(context)).use(api(context)).use(gitHttp(context))
  ignoreUnknown(app.routes)
  return app.use(apiDocs(context, () => app.routes))
}

export type App = ReturnType<typeof build>

/** The JSON API. */
function api(context: Context) {
  return new Elysia({ prefix: '/api/v1' })
    .use(admin(context))
    .use(branches(context))
    .use(commits(context))
    .use(contents(context))
    .use(misc(context))
    .use(repos(context))
    .use(tags(context))
    .use(users(context))
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
  const { MAX_BODY_SIZE, MAX_ANONYMOUS_BODY_SIZE } = context.config.api
  return new Elysia({ name: 'foundation' })
    .headers(securityHeaders)
    .onParse({ as: 'global' }, ({ request }, contentType) => {
      // Null leaves the body unread, for routes that stream it.
      if (contentType !== '' && !contentType.includes('json')) return null
      return readJson(request, request.headers.has('authorization') ? MAX_BODY_SIZE : MAX_ANONYMOUS_BODY_SIZE)
    })
    .onError({ as: 'global' }, ({ error, request }) => renderProblem(asProblem(error), request, context.rootUrl, context.log))
}

/** Elysia's own errors as problems of ours. */
function asProblem(error: unknown): unknown {
  if (error instanceof Problem) return error
  if (error instanceof ValidationError) return new Unprocessable(describeInvalid(error))
  const code = (error as { code?: unknown }).code
  if (code === 'NOT_FOUND') return new NotFound('Not Found')
  if (code === 'PARSE') return new BadRequest('Cannot parse the body')
  return error
}

/** Gitea's form: `[FieldName]: reason`. */
function describeInvalid(error: ValidationError): string {
  const first = error.valueError
  const field = first?.path.split('/').filter(Boolean).join('.') ?? error.type
  return `[${field || error.type}]: ${first?.schema.error ?? first?.message ?? 'is not valid'}`
}
