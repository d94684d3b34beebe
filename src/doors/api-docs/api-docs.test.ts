import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Elysia, t } from 'elysia'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { describeApi } from './document.ts'
import { Definitions, type SwaggerSchema } from './schemas.ts'

let forge: TestForge
beforeAll(() => {
  forge = testForge()
})
afterAll(() => forge[Symbol.asyncDispose]())

const get = (path: string) => forge.app.handle(new Request(`http://localhost${path}`))

interface Document {
  paths: Record<
    string,
    Record<string, { operationId?: string; deprecated?: boolean; produces?: string[]; parameters?: SwaggerSchema[]; responses: Record<string, SwaggerSchema> }>
  >
  definitions: Record<string, { properties?: Record<string, unknown> }>
}

describe('the document', () => {
  test('is OpenAPI 2.0 with the version, base path, types and schemes that clients of Gitea know', async () => {
    const response = await get('/swagger.v1.json')
    expect(response.headers.get('content-type')).toBe('application/json;charset=utf-8')
    expect(await response.json()).toMatchObject({
      swagger: '2.0',
      info: { version: '1.1.1' },
      basePath: '/api/v1',
      schemes: ['https', 'http'],
      consumes: ['application/json', 'text/plain'],
      produces: ['application/json', 'text/html'],
    })
  })

  test('has every route of the API, and every reference in it leads somewhere', async () => {
    const text = await (await get('/swagger.v1.json')).text()
    const { paths, definitions } = JSON.parse(text) as Document
    const served = (await forge.app.routes()).filter((route) => route.path.startsWith('/api/v1/') && route.hooks.detail?.hide !== true)
    const texts = served.filter((route) => route.hooks.detail?.asText)
    expect(Object.values(paths).flatMap((item) => Object.keys(item))).toHaveLength(served.length + texts.length)
    expect(Object.keys(paths).filter((path) => /[:*]/.test(path))).toEqual([])
    const names = [...text.matchAll(/#\/definitions\/(\w+)/g)].map(([, name]) => name as string)
    expect(names.filter((name) => !(name in definitions))).toEqual([])
  })

  test('knows no types but those of OpenAPI 2.0', async () => {
    const text = await (await get('/swagger.v1.json')).text()
    const types = [...text.matchAll(/"type":"([^"]*)"/g)].map(([, type]) => type as string)
    expect([...new Set(types)].sort()).toEqual(['apiKey', 'array', 'basic', 'boolean', 'file', 'integer', 'object', 'string'])
  })

  test('marks exactly the operations whose routes declare it as deprecated', async () => {
    const { paths } = (await (await get('/swagger.v1.json')).json()) as Document
    const marked = Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => (one.deprecated ? [one.operationId] : [])))
    const declared = (await forge.app.routes()).flatMap(({ hooks: { detail } }) => (detail?.deprecated ? [detail.operationId] : []))
    expect(marked).toContain('issueEditCommentDeprecated')
    expect(marked.sort()).toEqual(declared.sort())
  })

  test('has the diff of a pull request as an operation of its own, and the paths of an archive', async () => {
    const { paths } = (await (await get('/swagger.v1.json')).json()) as Document
    const pull = '/repos/{owner}/{repo}/pulls/{index}'
    const query = (path: string) => paths[path]?.get?.parameters?.flatMap((one) => (one.in === 'query' ? [[one.name, one.type]] : []))
    expect([query(`${pull}.{diffType}`)?.[0], query(pull)]).toEqual([['binary', 'boolean'], []])
    expect(query('/repos/{owner}/{repo}/archive/{archive}')).toEqual([
      ['path', 'array'],
      ['tag', 'string'],
    ])
    const { operationId, produces, parameters, responses } = paths[`${pull}.{diffType}`]?.get ?? {}
    expect([operationId, produces, responses?.[200]?.schema]).toEqual(['repoDownloadPullDiffOrPatch', ['text/plain', 'application/json'], { type: 'file' }])
    expect(parameters).toContainEqual({ name: 'diffType', in: 'path', required: true, type: 'string', enum: ['diff', 'patch'] })
  })

  test('names each path parameter of each path', async () => {
    const { paths } = (await (await get('/swagger.v1.json')).json()) as Document
    for (const [path, item] of Object.entries(paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(item)) {
        expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(wanted)
        for (const one of parameters) if (one.in !== 'body') expect(one).toHaveProperty('type')
      }
    }
  })

  test('declares for whatever takes a body that it may come too slowly, or be too large', async () => {
    const { paths } = (await (await get('/swagger.v1.json')).json()) as Document
    const operations = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]) => ({ line: `${method} ${path}`, one })))
    const taking = operations.filter(({ one }) => one.parameters?.some((parameter) => parameter.in === 'body' || parameter.in === 'formData'))
    expect(taking.length).toBeGreaterThan(100)
    expect(taking.filter(({ one }) => !('408' in one.responses && '413' in one.responses)).map(({ line }) => line)).toEqual([])
    const upload = paths['/repos/{owner}/{repo}/releases/{id}/assets']?.post?.responses ?? {}
    expect(Object.keys(upload)).toEqual(expect.arrayContaining(['408', '413']))
  })

  test('has a schema for whatever answers with a body, be it one of several or null', () => {
    const list = t.Array(t.String())
    const app = new Elysia({ prefix: '/api/v1' })
      .get('/none', () => {}, { response: { 204: t.Void() } })
      .get('/some', () => null, { response: { 200: t.Nullable(list) } })
      .get('/either', () => ({}), { response: { 200: t.Union([list, t.Object({})]) } })
    const { paths } = describeApi(app.routes, '/forge/') as unknown as Document
    const schemas = Object.values(paths).map(({ get: one }) => Object.values(one?.responses ?? {})[0]?.schema)
    expect(schemas).toEqual([{}, undefined, { type: 'array', items: { type: 'string' }, 'x-nullable': true }])
  })

  test('is not there when the setting says so', async () => {
    await using closed = testForge({ api: { ENABLE_SWAGGER: false } })
    for (const path of ['/swagger.v1.json', '/api/swagger']) expect((await closed.app.handle(new Request(`http://localhost${path}`))).status).toBe(404)
  })

  test('knows files, arrays and wildcards', () => {
    const app = new Elysia({ prefix: '/api/v1' })
      .get('/files/*', () => '', { params: t.Object({ '*': t.String({ title: 'filepath' }) }), query: t.Object({ q: t.Array(t.String()) }) })
      .post('/files', () => '', { body: t.Object({ attachment: t.File(), name: t.Optional(t.String()) }) })
    const { paths } = describeApi(app.routes, '/forge/') as unknown as Document
    expect(paths['/files/{filepath}']?.get?.parameters).toEqual([
      { name: 'filepath', in: 'path', required: true, type: 'string' },
      { name: 'q', in: 'query', required: true, type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
    ])
    expect(paths['/files']?.post?.parameters).toEqual([
      { name: 'attachment', in: 'formData', type: 'file' },
      { name: 'name', in: 'formData', type: 'string' },
    ])
  })
})

describe('a schema', () => {
  const User = t.Object({ id: t.Integer(), boss: t.Optional(t.String()) }, { $id: 'User' })
  test.each([
    ['a named record becomes a reference', User, { $ref: '#/definitions/User' }],
    ['a list refers to what it lists', t.Array(User), { type: 'array', items: { $ref: '#/definitions/User' } }],
    ['one of some words is an enum', t.Union([t.Literal('a'), t.Literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['a value or null is that value', t.Nullable(t.String()), { type: 'string', 'x-nullable': true }],
    ['a record or null is that record, and says so to who looks beside the reference', t.Nullable(User), { $ref: '#/definitions/User', 'x-nullable': true }],
    ['what is always null has no type', t.Null(), { 'x-nullable': true }],
    ['a text that stands for a time is a text of that format', t.String({ documentedAs: 'date-time' }), { type: 'string', format: 'date-time' }],
    [
      'one text or several in a query are a list',
      t.Union([t.String(), t.Array(t.String())], { documentedAs: 'array' }),
      { type: 'array', items: { type: 'string' } },
    ],
    ['a number in a query is a number', t.Numeric(), { type: 'number' }],
    ['a table of texts has additional properties', t.Record(t.String(), t.String()), { type: 'object', additionalProperties: { type: 'string' } }],
    ['limits are told', t.String({ maxLength: 5, format: 'date-time' }), { type: 'string', maxLength: 5, format: 'date-time' }],
  ])('%s', (_, schema, expected) => {
    expect(new Definitions().describe(schema)).toEqual(expected)
  })

  test('that is named is described once, with what it requires', () => {
    const definitions = new Definitions()
    definitions.describe(t.Array(User))
    definitions.describe(User)
    expect(definitions.all()).toEqual({
      User: { type: 'object', properties: { id: { type: 'integer', format: 'int64' }, boss: { type: 'string' } }, required: ['id'] },
    })
  })
})

test('the page needs nothing from elsewhere: each address in it is served here, and its policy lets nothing else in', async () => {
  const response = await get('/api/swagger')
  const html = await response.text()
  expect(html).not.toMatch(/https?:\/\//)
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self' 'sha256-[\w+/=]+';/)
  const addresses = [...html.matchAll(/(?:src|href|"url":)=?"([^"]+)"/g)].map(([, address = '']) => new URL(address, 'http://localhost/api/swagger').pathname)
  expect(addresses).toContain('/swagger.v1.json')
  for (const address of addresses) expect({ address, status: (await get(address)).status }).toEqual({ address, status: 200 })
})
