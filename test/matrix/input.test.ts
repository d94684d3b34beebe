import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Person } from '../harness.ts'
import { type DeclaredRoute, lineOf, type Schema } from './routes.ts'
import { someOf } from './some-of.ts'
import { makeWorld, PASSED, PASSWORD, type World } from './world.ts'

/** Every route × input that is wrong, made from the schemas that the routes declare. Whoever asks may do all. */

/** The more routes there are, the longer a crawl takes. */
setDefaultTimeout(60_000)

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** A route's line about things that exist, and who may call it. */
function callable(route: DeclaredRoute): { line: string; headers: Record<string, string>; params: Record<string, string> } {
  const wantsPassword = route.terms.kind === 'passwordHolder' || route.terms.asks === 'selfByPassword'
  const params = wantsPassword ? { username: 'owner' } : (world.subjects[route.terms.kind]?.[0]?.params ?? {})
  const Authorization = wantsPassword ? `Basic ${btoa(`owner:${PASSWORD}`)}` : `token ${(world.people.root as Person).token}`
  return { line: lineOf(route, params), headers: { Authorization }, params }
}

/** Values that are of no use to `schema`; null is as good as absent, as Gitea's clients have it. */
function misfits(schema: Schema, isRequired: boolean): unknown[] {
  return [...(isRequired ? [null] : []), 5, -1.5, 'x', true, {}, [], [null], '\ud800'].filter((value) => !Value.Check(schema as TSchema, value))
}

const bodied = () => world.routes.filter(({ body }) => body !== undefined)

describe('a body', () => {
  test('that is no object is refused', async () => {
    const wrong: string[] = []
    for (const route of bodied()) {
      const { line, headers } = callable(route)
      for (const body of [null, [], 'text', 5, true]) {
        const { status } = await world.forge.send(line, { body, headers })
        if (status !== 422 && status !== 400) wrong.push(`${route.line} ${JSON.stringify(body)}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('that is no JSON is refused', async () => {
    const wrong: string[] = []
    for (const route of bodied()) {
      const { line, headers } = callable(route)
      const space = line.indexOf(' ')
      for (const text of ['{', '{"a":1}}', `${'['.repeat(5000)}${']'.repeat(5000)}`, '\0']) {
        const request = new Request(`http://localhost/api/v1${line.slice(space + 1)}`, {
          method: line.slice(0, space),
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: text,
        })
        const { status } = await world.forge.app.handle(request)
        if (status < 400 || status >= 500) wrong.push(`${route.line} ${text.slice(0, 10)}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('whose members have the wrong type is refused by name', async () => {
    const wrong: string[] = []
    let turn = 0
    for (const route of bodied()) {
      const { line, headers } = callable(route)
      for (const [name, schema] of Object.entries(route.body?.properties ?? {})) {
        for (const value of someOf(misfits(schema, route.body?.required?.includes(name) === true), 3, turn++)) {
          const { status, body } = await world.forge.send<{ message: string }>(line, { body: { ...fitting(route.body as Schema), [name]: value }, headers })
          if (status !== 422 || !body.message.startsWith(`[${name}`)) wrong.push(`${route.line} ${name}: ${JSON.stringify(value)}: ${status} ${body.message}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('that lacks what is required is refused by name', async () => {
    const wrong: string[] = []
    for (const route of bodied()) {
      const { line, headers } = callable(route)
      for (const name of route.body?.required ?? []) {
        const { [name]: _, ...rest } = fitting(route.body as Schema)
        const { status, body } = await world.forge.send<{ message: string }>(line, { body: rest, headers })
        if (status !== 422 || !body.message.startsWith(`[${name}`)) wrong.push(`${route.line} without ${name}: ${status} ${body.message}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('has no text without a limit, and no list', () => {
    const open = bodied().flatMap((route) => unbounded(route.body as Schema).map((path) => `${route.line}: ${path}`))
    expect(open).toEqual([])
  })
})

/** The least body that the schema takes. */
function fitting(schema: Schema): Record<string, unknown> {
  return Object.fromEntries((schema.required ?? []).map((name) => [name, exampleOf(schema.properties?.[name] as Schema, name)]))
}

function exampleOf(schema: Schema, name: string): unknown {
  if (schema.properties) return fitting(schema)
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] as Schema, name)
  if (schema.const !== undefined) return schema.const
  if (schema.items && (schema.minItems ?? 0) > 0) return [exampleOf(schema.items, name)]
  const found = ['text', 'a@example.org', '#aabbcc', '2026-01-01T00:00:00Z', 5, true, [], {}].find((value) => Value.Check(schema as TSchema, value))
  if (found === undefined) throw new Error(`Cannot think of a value for ${name}: say one here`)
  return found
}

/** Paths of texts that may be as long as one likes, and of lists that may hold as much. */
function unbounded(schema: Schema, path = ''): string[] {
  const parts = [
    ...(schema.anyOf ?? []).map((one) => [one, path] as const),
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => [one, `${path}.${name}`] as const),
    ...(schema.items ? [[schema.items, `${path}[]`] as const] : []),
  ]
  const isOpen =
    schema.type === 'string' && schema.maxLength === undefined && schema.pattern === undefined && schema.format === undefined && schema.const === undefined
  const isOpenList = schema.type === 'array' && schema.maxItems === undefined
  return [...(isOpen && schema.enum === undefined ? [path] : []), ...(isOpenList ? [`${path}[]`] : []), ...parts.flatMap(([one, at]) => unbounded(one, at))]
}

const oddities = [
  '',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'NaN',
  'true',
  '%00',
  "'",
  '%25',
  '..%2f..',
  '%ff',
  '%F0%9F%92%A9',
  '__proto__',
  'x'.repeat(3000),
]

describe('an address', () => {
  test('with odd parameters in its query is answered or refused', async () => {
    const wrong: string[] = []
    let turn = 0
    for (const route of world.routes.filter(({ method }) => method === 'GET')) {
      const { line, headers } = callable(route)
      for (const name of ['page', 'limit', 'sudo', 'token', ...Object.keys(route.query?.properties ?? {})]) {
        for (const value of someOf(oddities, 4, turn++)) {
          const { status } = await world.forge.send(`${line}?${name}=${value}`, { headers })
          if (status >= 500) wrong.push(`${route.line}?${name}=${value.slice(0, 30)}: ${status}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('with odd names in its path is answered or refused', async () => {
    const wrong: string[] = []
    let turn = 0
    for (const route of world.routes) {
      const { headers, params } = callable(route)
      for (const name of route.params) {
        for (const value of someOf(oddities.slice(1), 4, turn++)) {
          const { status } = await world.forge.send(lineOf(route, { ...params, [name]: value }), { body: route.body && null, headers })
          if (status >= 500) wrong.push(`${route.line} ${name}=${value.slice(0, 30)}: ${status}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

test('nothing of all this passed unseen: the probe lets the same callers in', async () => {
  for (const route of world.routes) {
    const { line, headers } = callable(route)
    expect([PASSED, 400, 422]).toContain(await world.probe(line, { headers }))
  }
})
