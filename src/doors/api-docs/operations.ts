import { termsOf } from '#access/index.ts'
import { answersOf } from '#kernel/answers/declared-answers.ts'
import { doesReadBody, type RouteDeclaration, type RouteDetail } from '#kernel/slice.ts'
import type { Definitions, JsonSchema, SwaggerSchema } from './schemas.ts'

export function detailOf(route: RouteDeclaration): RouteDetail {
  return route.hooks.detail ?? {}
}

/** The path as OpenAPI writes it: `/repos/:owner/*` is `/repos/{owner}/{branch}`. */
export function documentedPath(route: RouteDeclaration, prefix: string): string {
  const path = route.path.slice(prefix.length).replace(/:(\w+)\??/g, '{$1}')
  return (
    path.replace(
      '*',
      wildcardsOf(route)
        .map((name) => `{${name}}`)
        .join('.'),
    ) || '/'
  )
}

/** One operation object, https://swagger.io/specification/v2/#operation-object. Whatever else it answers with, errors are JSON. */
export function describeOperation(route: RouteDeclaration, definitions: Definitions): SwaggerSchema {
  const { operationId, summary, tags, description, produces, deprecated } = detailOf(route)
  const terms = termsOf(route.hooks.detail).map(({ text }) => text)
  const parameters = [...pathParameters(route, definitions), ...queryParameters(route, definitions), ...bodyParameters(route, definitions)]
  return {
    operationId,
    tags,
    summary,
    description: [description, ...terms].filter(Boolean).join('\n\n') || undefined,
    ...(deprecated ? { deprecated } : {}),
    ...consumed(route),
    ...(produces ? { produces: [...produces, 'application/json'] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: responses(route, definitions),
  }
}

function pathParameters(route: RouteDeclaration, definitions: Definitions): SwaggerSchema[] {
  const schemas = propertiesOf(route.hooks.params)
  return [...route.path.matchAll(/:(\w+)|\*/g)].flatMap(([whole, key = whole]) =>
    (key === '*' ? wildcardsOf(route) : [key]).map((name) => ({
      name,
      in: 'path',
      required: true,
      ...simple(definitions, schemas[key] ?? { type: 'string' }),
    })),
  )
}

function queryParameters(route: RouteDeclaration, definitions: Definitions): SwaggerSchema[] {
  const required = requiredOf(route.hooks.query)
  return Object.entries(propertiesOf(route.hooks.query)).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...simple(definitions, schema),
  }))
}

function bodyParameters(route: RouteDeclaration, definitions: Definitions): SwaggerSchema[] {
  const body = describedBody(route)
  if (body === undefined) return []
  if (!isForm(body)) return [{ name: 'body', in: 'body', schema: definitions.describe(body) }]
  return Object.entries(propertiesOf(body)).map(([name, schema]) => {
    const isFile = isFileSchema(schema)
    return { name, in: 'formData', ...(isFile ? { type: 'file' } : simple(definitions, schema)) }
  })
}

/** Parameters other than bodies cannot refer to definitions; arrays are the parameter repeated. */
function simple(definitions: Definitions, schema: JsonSchema): SwaggerSchema {
  const { $id: _name, ...anonymous } = schema
  const described = definitions.describe(anonymous)
  if (described.type === 'array') return { ...described, collectionFormat: 'multi' }
  return described.type === undefined ? { ...described, type: 'string' } : described
}

const variants: Record<number, string> = {
  206: 'the requested range',
  304: 'not modified',
}

const errors: Record<number, string> = {
  301: 'renamed; the Location header has the new URL',
  307: 'renamed; the Location header has the new URL',
  400: 'malformed request',
  401: 'credentials are missing or invalid',
  403: 'forbidden',
  404: 'not found, or not visible to the user',
  405: 'not allowed for this resource',
  408: 'the client sends the body too slowly',
  409: 'conflicts with the state of the resource or with an existing one',
  412: 'the state of the resource does not allow the change',
  413: 'the request or response is too large',
  415: 'unsupported content type or content encoding',
  416: 'the range is outside of the file',
  422: 'validation failed; the message names the field',
  423: 'the repository is archived or a mirror, and read-only',
  429: 'too many failed or concurrent sign-in attempts; the Retry-After header has the seconds to wait',
  503: 'the server is busy or cannot write to its disk; the Retry-After header has the seconds to wait',
}

const aFile = { type: 'file' }

function responses(route: RouteDeclaration, definitions: Definitions): SwaggerSchema {
  const declared = answersOf(route) as Record<string, JsonSchema>
  const own = Object.entries(declared).map(([status, schema]) => [status, describeResponse(schema, definitions)])
  // What is no JSON is declared by its media type alone.
  if (!own.some(([status]) => /^[23]/.test(String(status)))) own.push(['200', { description: 'success', schema: aFile }])
  const problems = [...usualErrors(route), ...(detailOf(route).errors ?? [])].filter((status) => !(status in declared))
  const others = (detailOf(route).variants ?? []).map((status) => [status, describeVariant(status)])
  return Object.fromEntries([...own, ...others, ...problems.map((status) => [status, describeError(status)])])
}

function describeVariant(status: number): SwaggerSchema {
  return { description: variants[status] ?? '', ...(status < 300 ? { schema: aFile } : {}) }
}

function describeError(status: number): SwaggerSchema {
  const description = errors[status] ?? ''
  return status < 400 ? { description } : { description, schema: { $ref: '#/definitions/APIError' } }
}

function describeResponse(schema: JsonSchema, definitions: Definitions): SwaggerSchema {
  const description = String(schema.description ?? schema.$id ?? '')
  const isEmpty = ['void', 'undefined', 'null'].includes(schema.type as string)
  return isEmpty ? { description: description || 'done' } : { description, schema: definitions.describe(schema) }
}

/** Errors that a route's method, terms, parameters and body bring with them. */
function usualErrors(route: RouteDeclaration): number[] {
  const { kind = 'anyone' } = termsOf(route.hooks.detail)[0] ?? {}
  const doesChange = route.method !== 'GET' && route.method !== 'HEAD'
  return [
    // Credentials can be wrong, short of a scope, for somebody (`Sudo`) who is not there, or too many, whatever the route asks.
    ...[401, 403, 404, 429],
    ...(['repo', 'person', 'org'].includes(kind) || route.path.includes('/:owner/:repo') ? [doesChange ? 307 : 301] : []),
    ...(bodyOf(route) || doesReadBody(route) ? [400, 408, 413] : []),
    ...(bodyOf(route) ? [415] : []),
    ...(bodyOf(route) || doesReadBody(route) || route.hooks.query || route.hooks.params ? [422] : []),
    // Any change of a repository may find it archived.
    ...(kind === 'repo' && doesChange ? [423] : []),
    ...(doesChange || kind === 'repo' ? [503] : []),
  ]
}

function consumed(route: RouteDeclaration): SwaggerSchema {
  const { consumes = isForm(describedBody(route)) ? ['multipart/form-data'] : undefined } = detailOf(route)
  return consumes ? { consumes } : {}
}

function describedBody(route: RouteDeclaration): JsonSchema | undefined {
  return bodyOf(route) ?? detailOf(route).reads
}

function bodyOf(route: RouteDeclaration): JsonSchema | undefined {
  return route.hooks.body as JsonSchema | undefined
}

function isForm(body: JsonSchema | undefined): boolean {
  return Object.values(propertiesOf(body)).some(isFileSchema)
}

function isFileSchema(schema: JsonSchema): boolean {
  return schema.format === 'binary' || schema.elysiaMeta === 'File' || schema.elysiaMeta === 'Files'
}

/** What the route's `*` stands for: the title of that parameter's schema, in which dots part several (`sha.diffType`). */
function wildcardsOf(route: RouteDeclaration): string[] {
  return String(propertiesOf(route.hooks.params)['*']?.title ?? 'path').split('.')
}

function propertiesOf(schema: unknown): Record<string, JsonSchema> {
  return ((schema as JsonSchema | undefined)?.properties ?? {}) as Record<string, JsonSchema>
}

function requiredOf(schema: unknown): readonly string[] {
  return ((schema as JsonSchema | undefined)?.required ?? []) as readonly string[]
}
