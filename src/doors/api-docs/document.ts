import type { RouteDeclaration } from '#kernel/slice.ts'
import { describeOperation, detailOf, documentedPath } from './operations.ts'
import { Definitions, type SwaggerSchema } from './schemas.ts'

/** Where the API is mounted. */
const PREFIX = '/api/v1'

/**
 * The OpenAPI 2.0 document of the API, from the routes that answer it and the schemas that validate it.
 * @param rootPath the path of the root URL, with the trailing slash
 */
export function describeApi(routes: readonly RouteDeclaration[], rootPath: string): SwaggerSchema {
  const definitions = new Definitions()
  const apiError = { type: 'object', properties: { message: { type: 'string' }, url: { type: 'string' }, errors } }
  return {
    swagger: '2.0',
    info: {
      title: 'Pocketforge API',
      description: 'Compatible with the API of Gitea 1.24.',
      license: { name: 'MIT', url: 'https://opensource.org/licenses/MIT' },
      version: '1.1.1',
    },
    basePath: `${rootPath}api/v1`,
    schemes: ['https', 'http'],
    consumes: ['application/json', 'text/plain'],
    produces: ['application/json', 'text/html'],
    paths: describePaths(routes, definitions),
    definitions: { APIError: apiError, ...definitions.all() },
    securityDefinitions,
    security: Object.keys(securityDefinitions).map((name) => ({ [name]: [] })),
  }
}

function describePaths(routes: readonly RouteDeclaration[], definitions: Definitions): SwaggerSchema {
  const paths: Record<string, SwaggerSchema> = {}
  for (const route of routes.flatMap(operationsOf)) {
    if (!route.path.startsWith(`${PREFIX}/`) || detailOf(route).hide === true) continue
    const path = documentedPath(route, PREFIX)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, definitions) }
  }
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Splits a route that serves a record at one path and a text at another into two operations. */
function operationsOf(route: RouteDeclaration): RouteDeclaration[] {
  const { asText, ...detail } = detailOf(route)
  if (!asText) return [route]
  const { path, params } = asText
  const text = { ...route, path: PREFIX + path, hooks: { ...route.hooks, params, response: undefined, detail: { ...detail, ...asText.detail } } }
  return [{ ...route, hooks: { ...route.hooks, query: undefined, detail } }, text]
}

const errors = { type: 'array', items: { type: 'string' }, 'x-nullable': true, description: 'only in 404 responses' }

const sudo = 'Sudo API request as the user provided as the key. Admin privileges are required.'
const queryToken = 'This authentication option is deprecated. Please use AuthorizationHeaderToken instead.'

/** Names and forms are Gitea's. */
const securityDefinitions = {
  AccessToken: { type: 'apiKey', name: 'access_token', in: 'query', description: queryToken },
  AuthorizationHeaderToken: {
    type: 'apiKey',
    name: 'Authorization',
    in: 'header',
    description: 'API tokens must be prepended with "token" followed by a space.',
  },
  BasicAuth: { type: 'basic' },
  SudoHeader: { type: 'apiKey', name: 'Sudo', in: 'header', description: sudo },
  SudoParam: { type: 'apiKey', name: 'sudo', in: 'query', description: sudo },
  TOTPHeader: {
    type: 'apiKey',
    name: 'X-GITEA-OTP',
    in: 'header',
    description: 'TOTP code for accounts with two-factor authentication, in addition to BasicAuth.',
  },
  Token: { type: 'apiKey', name: 'token', in: 'query', description: queryToken },
}
