import { type Terms, termsOf } from '#access/index.ts'
import type { App } from '#app.ts'

/** A route of the API as it declares itself. */
export interface DeclaredRoute {
  /** `PATCH /repos/:owner/:repo/hooks/:id`, below `/api/v1`. */
  line: string
  method: string
  path: string
  terms: Terms
  /** Parameters of the path, `*` among them. */
  params: string[]
  body: Schema | undefined
  query: Schema | undefined
  /** Whether it reads a list. */
  isList: boolean
}

/** What of a TypeBox schema the tests go by. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  items?: Schema
  const?: unknown
  maxLength?: number
  maxItems?: number
  minItems?: number
  pattern?: string
  format?: string
  enum?: unknown[]
}

const PREFIX = '/api/v1'

/** Every route of the API; the architecture test sees to it that each declares exactly one term. */
export function declaredRoutes(app: App): Promise<DeclaredRoute[]> {
  return routesBelow(app, PREFIX)
}

/** Git's own paths. */
export async function gitRoutes(app: App): Promise<DeclaredRoute[]> {
  return (await routesBelow(app, '')).filter(({ terms }) => terms?.kind === 'git')
}

/** What browsers and programs read by the same address: everything below a repository that is no page of its own. */
export async function pageRoutes(app: App): Promise<DeclaredRoute[]> {
  return (await routesBelow(app, '')).filter(({ path, terms }) => !path.startsWith('/api/') && terms?.kind === 'repo')
}

async function routesBelow(app: App, prefix: string): Promise<DeclaredRoute[]> {
  return (await app.routes())
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map(({ method, path: whole, hooks }) => {
      const path = whole.slice(prefix.length)
      const params = [...path.matchAll(/:(\w+)|\*/g)].map(([all, name = all]) => name)
      const { body, query, response } = hooks as { body?: Schema; query?: Schema; response?: Record<number, Schema> }
      const isList = method === 'GET' && [response?.[200], ...(response?.[200]?.anyOf ?? [])].some((schema) => schema?.type === 'array')
      return { line: `${method} ${path}`, method, path, terms: termsOf(hooks.detail)[0] as Terms, params, body, query, isList }
    })
}

/** `METHOD /path` with the parameters filled in; those that `values` lacks become `1`, which a gate that refuses never looks at. */
export function lineOf({ method, path }: DeclaredRoute, values: Record<string, string>): string {
  return `${method} ${path.replace(/:(\w+)|\*/g, (all, name = all) => values[name] ?? '1')}`
}
