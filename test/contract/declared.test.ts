import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SwaggerSchema } from '#doors/api-docs/schemas.ts'
import { makeWorld, PASSWORD, type World } from '../matrix/world.ts'

/** Requests generated from the API document alone, valid and not, and what the document says of their answers. */

setDefaultTimeout(120_000)

interface Operation {
  operationId: string
  parameters?: Parameter[]
  responses: Record<string, { schema?: Schema }>
  produces?: string[]
}
interface Parameter extends SwaggerSchema {
  name: string
  in: 'path' | 'query' | 'body' | 'formData'
  schema?: Schema
}
interface Schema {
  $ref?: string
  type?: string
  enum?: unknown[]
  format?: string
  pattern?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  additionalProperties?: Schema
  'x-nullable'?: boolean
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  definitions: Record<string, Schema>
}

let world: World
let document: Document
beforeAll(async () => {
  world = await makeWorld()
  document = (await (await world.forge.app.handle(new Request('http://localhost/swagger.v1.json'))).json()) as Document
})
afterAll(() => world[Symbol.asyncDispose]())

/** An example of the schema, of what it requires or of all that it knows. */
function example(schema: Schema, isWhole: boolean, depth = 0): unknown {
  if (schema.$ref) return example(document.definitions[schema.$ref.slice('#/definitions/'.length)] ?? {}, isWhole, depth)
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object') {
    if (depth > 3) return {}
    const members = Object.entries(schema.properties ?? {}).filter(([name]) => isWhole || schema.required?.includes(name))
    return Object.fromEntries(members.map(([name, one]) => [name, example(one, isWhole, depth + 1)]))
  }
  if (schema.type === 'array') return [example(schema.items ?? {}, isWhole, depth + 1)]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.format === 'date-time') return '2026-01-01T00:00:00Z'
  if (schema.format === 'email') return 'a@example.org'
  return schema.pattern?.includes('#') ? '#aabbcc' : 'main'
}

/** Where and how `value` is not what `schema` says; undefined when it is. */
function faultIn(schema: Schema, value: unknown, at = ''): string | undefined {
  if (value === null && schema['x-nullable']) return undefined
  if (schema.$ref) return faultIn(document.definitions[schema.$ref.slice('#/definitions/'.length)] ?? {}, value, at)
  if (schema.enum && !schema.enum.includes(value)) return `${at}: ${JSON.stringify(value)}`
  if (schema.type === 'array') return Array.isArray(value) ? firstOf(value, (one) => faultIn(schema.items ?? {}, one, `${at}[]`)) : `${at}: no list`
  if (schema.type === 'object') return faultInMembers(schema, value, at)
  if (schema.type === 'integer') return Number.isInteger(value) ? undefined : `${at}: no whole number`
  return schema.type === undefined || typeof value === schema.type ? undefined : `${at}: no ${schema.type}`
}

function faultInMembers(schema: Schema, value: unknown, at: string): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${at}: no object`
  const absent = schema.required?.find((name) => !(name in value))
  if (absent !== undefined) return `${at}.${absent}: absent`
  return firstOf(Object.entries(value), ([name, one]) => faultIn(schema.properties?.[name] ?? schema.additionalProperties ?? {}, one, `${at}.${name}`))
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Values for the parameters of paths: of things that the world has, then of things that nothing has. */
const places: Record<string, string>[] = [
  {
    owner: 'owner',
    repo: 'open',
    username: 'owner',
    org: 'public-org',
    filepath: 'README.md',
    archive: 'main.zip',
    branch: 'main',
    index: '1',
    id: '1',
    sha: 'main',
    ref: 'heads/main',
  },
  { owner: 'owner', repo: 'absent', username: 'absent', org: 'absent', filepath: 'absent', index: '999' },
  { owner: 'public-org', repo: 'tools', username: 'member', org: 'public-org', id: '2', index: '2' },
  { owner: 'owner', repo: 'open', archive: 'main.tar.zst', filepath: 'absent', diffType: 'diff', name: 'MIT' },
]

const conditions: Record<string, string>[] = [{ Range: 'bytes=0-0' }, { Range: `bytes=${1e9}-` }, { 'If-None-Match': '*' }]

interface Asked {
  line: string
  headers?: Record<string, string>
  body?: unknown
}

function* requestsTo(path: string, method: string, { parameters = [] }: Operation): Generator<Asked> {
  const root = { Authorization: `token ${world.people.root?.token}` }
  const byPassword = { Authorization: `Basic ${btoa(`owner:${PASSWORD}`)}` }
  const lines = places.map((values) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '1')}`)
  const line = lines[0] ?? ''
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  const schema = parameters.find((one) => one.in === 'body')?.schema
  const bodies = schema ? [example(schema, false), example(schema, true), [], { [Object.keys(schema.properties ?? {})[0] ?? 'x']: {} }] : [undefined]
  yield { line, headers: { Authorization: `token ${'0'.repeat(40)}` } }
  yield { line: `${line}?sudo=absent`, headers: root, body: bodies[0] }
  yield { line, body: bodies[0] }
  yield { line, headers: { Authorization: `token ${world.people.stranger?.token}` }, body: bodies[0] }
  // What is downloaded is asked for in parts, and by clients that have it already.
  if (method === 'get') for (const asks of conditions) yield { line, headers: { ...root, ...asks } }
  for (const one of query)
    for (const value of ['main', '1', 'x'.repeat(3000), '-1', '%00']) yield { line: `${line}?${one}=${value}`, headers: root, body: bodies[0] }
  // Twice, so that what is there already is asked for as well.
  for (const body of [...bodies, ...bodies]) for (const at of lines) yield { line: at, headers: root, body }
  yield { line, headers: byPassword, body: bodies[0] }
}

/** The same of an answer, which without a schema has no body; what is said of a problem has no members but those declared. */
function faultOf(status: number, schema: Schema | undefined, body: unknown): string | undefined {
  if (!schema) return body === undefined || body === '' ? undefined : ': a body'
  const { properties } = schema.$ref ? (document.definitions[schema.$ref.slice('#/definitions/'.length)] ?? {}) : schema
  const more = status < 400 ? undefined : Object.keys(body as object).find((name) => !(name in (properties ?? {})))
  return more === undefined ? faultIn(schema, body) : `.${more}: undeclared`
}

interface Answer {
  status: number
  body: { message?: string } | undefined
  headers: Headers
}

/** What of an answer the operation does not declare: its media type, its body, its status. */
function faultsOf({ produces = ['application/json'], responses }: Operation, { status, body, headers }: Answer): string[] {
  const type = headers.get('content-type')?.split(';')[0] ?? 'application/json'
  const fault = type === 'application/json' ? faultOf(status, responses[status]?.schema, body) : undefined
  return [
    ...(body && !produces.includes(type) ? [type] : []),
    ...(fault === undefined ? [] : [`${status}${fault}`]),
    ...(status in responses ? [] : [`${status}: ${body?.message}`]),
  ]
}

/** What only looks comes first, what takes away comes last. */
const order = ['get', 'post', 'put', 'patch', 'delete']
/** It would end who asks. */
const left = new Set(['adminDeleteUser'])

test('what pull requests in each other’s way, and comparisons, are answered is declared', async () => {
  const { forge } = world
  const owner = forge.asUser('owner')
  const at = '/repos/owner/declared'
  await owner.post('/user/repos', { name: 'declared', auto_init: true })
  for (const branch of ['topic', 'main'])
    await owner.post(`${at}/contents/a`, { content: btoa(branch), ...(branch === 'main' ? {} : { branch: 'main', new_branch: branch }) })
  await owner.post(`${at}/pulls`, { title: 'one', head: 'topic', base: 'main' })
  for (const [path, new_branch] of [
    ['b', 'aside'],
    ['c', undefined],
  ])
    await owner.post(`${at}/contents/${path}`, { content: '', branch: 'main', new_branch })
  await owner.post(`${at}/pulls`, { title: 'two', head: 'aside', base: 'main' })
  const asked: [id: string, line: string, body: unknown, status: number][] = [
    ['repoUpdatePullRequest', `POST ${at}/pulls/1/update`, undefined, 409],
    ['repoMergePullRequest', `POST ${at}/pulls/2/merge`, { Do: 'fast-forward-only' }, 409],
    ['repoEditPullRequest', `PATCH ${at}/pulls/1`, { body: 'x', content_version: 9 }, 409],
    ['repoEditPullRequest', `PATCH ${at}/pulls/1`, { state: 'none' }, 412],
    ['repoCompareDiff', `GET ${at}/compare/main...topic?output=none`, undefined, 400],
    ['repoCompareDiff', `GET ${at}/compare/main...topic?output=diff`, undefined, 200],
    ['repoCompareDiff', `GET ${at}/compare/main...topic?output=patch`, undefined, 200],
    ['repoGetPullRequestByBaseHead', `GET ${at}/pulls/main/owner:topic`, undefined, 200],
    ['repoGetPullRequestByBaseHead', `GET ${at}/pulls/main/member:topic`, undefined, 404],
    ['repoDownloadPullDiffOrPatch', `GET ${at}/pulls/1.diff`, undefined, 200],
    ['repoDownloadPullDiffOrPatch', `GET ${at}/pulls/1.patch`, undefined, 200],
    ['repoCreatePullRequest', `POST ${at}/pulls`, { title: 'two', head: 'topic', base: 'main' }, 409],
    ['repoUpdateTopics', `PUT ${at}/topics`, { topics: ['a b'] }, 422],
    ['repoAddTopic', `PUT ${at}/topics/a%20b`, undefined, 422],
    ['repoDeleteTopic', `DELETE ${at}/topics/a%20b`, undefined, 422],
    ['repoEdit', `PATCH ${at}`, { internal_tracker: { enable_time_tracker: false } }, 200],
    ['userTrackedTimes', `GET ${at}/times/owner`, undefined, 400],
  ]
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  for (const [id, line, body, status] of asked) {
    const one = operations.find(({ operationId }) => operationId === id) as Operation
    const answer = await owner.send<{ message?: string }>(line, { body })
    expect([line, answer.status, faultsOf(one, answer)]).toEqual([line, status, []])
  }
})

test('what an archived repository answers to who would change it is declared', async () => {
  const { forge } = world
  const owner = forge.asUser('owner')
  const at = '/repos/owner/shelved'
  await owner.post('/user/repos', { name: 'shelved', auto_init: true })
  await owner.post(`${at}/issues`, { title: 'one' })
  await owner.post(`${at}/contents/a`, { content: '', branch: 'main', new_branch: 'topic' })
  await owner.post(`${at}/pulls`, { title: 'two', head: 'topic', base: 'main' })
  await owner.patch(at, { archived: true })
  const values: Record<string, string> = { ...places[0], repo: 'shelved', index: '2' }
  const refused: string[] = []
  const undeclared: string[] = []
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, one] of Object.entries(item)) {
      if (method === 'get' || !path.startsWith('/repos/{owner}/{repo}/')) continue
      const schema = one.parameters?.find((parameter) => parameter.in === 'body')?.schema
      const line = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '1')
      for (const isWhole of [false, true]) {
        const { status } = await owner.send(`${method.toUpperCase()} ${line}`, { body: schema && example(schema, isWhole) })
        if (status === 423) (status in one.responses ? refused : undeclared).push(one.operationId)
      }
    }
  expect(undeclared).toEqual([])
  expect(new Set(refused).size).toBeGreaterThan(20)
})

test('every answer has a status, a type and a body that the API document declares', async () => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]) => ({ path, method, one })))
  const undeclared = new Map<string, string>()
  const downloads = new Set<string>()
  let count = 0
  for (const { path, method, one } of operations.sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
    if (left.has(one.operationId)) continue
    for (const asked of requestsTo(path, method, one)) {
      const answer = await world.forge.send<{ message?: string }>(asked.line, asked)
      count++
      if ([206, 304, 416].includes(answer.status)) downloads.add(`${one.operationId} ${answer.status}`)
      for (const fault of faultsOf(one, answer)) undeclared.set(`${one.operationId} ${fault}`, asked.line.slice(0, 120))
    }
  }
  expect(Object.fromEntries(undeclared)).toEqual({})
  expect(count).toBeGreaterThan(5000)
  const expected = ['repoGetRawFile', 'repoGetRawFileOrLFS', 'repoGetArchive'].flatMap((id) => [206, 304, 416].map((status) => `${id} ${status}`))
  expect([...downloads]).toEqual(expect.arrayContaining(expected))
})
