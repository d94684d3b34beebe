import { afterAll, expect, test } from 'bun:test'
import { asBody, fieldsOf } from '#kernel/bodies/form-body.ts'
import { testForge } from '../harness.ts'
import { declaredRoutes, type Schema } from '../matrix/routes.ts'

/** What is taken as JSON is taken as a form, too: `curl -d`, with members of members in brackets. */
const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())

/** All that the schema knows, once. */
function example(schema: Schema): unknown {
  if (schema.anyOf) return example(schema.anyOf.find(({ type }) => type !== 'null') ?? {})
  if (schema.const !== undefined || schema.enum) return schema.const ?? schema.enum?.[0]
  if (schema.type === 'array') return [example(schema.items ?? {})]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return 5
  if (schema.type !== 'object') return 'x'
  const isTable = 'patternProperties' in schema
  return isTable ? { key: 'x' } : Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, one]) => [name, example(one)]))
}

function fieldsFor(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  const isPlain = Array.isArray(value) && typeof value[0] !== 'object'
  return isPlain ? [[name, value.join(',')]] : Object.entries(value).flatMap(([key, one]) => fieldsFor(one, name === '' ? key : `${name}[${key}]`))
}

test('every route that takes JSON takes the same as a form, urlencoded and multipart', async () => {
  const routes = (await declaredRoutes(forge.app)).filter(({ body }) => Object.keys(body?.properties ?? {}).length > 0)
  expect(routes.length).toBeGreaterThan(100)
  for (const { line, body } of routes) {
    const wanted = example(body as Schema) as Record<string, unknown>
    // Other cases of one name are one field.
    if ('do' in wanted) delete wanted.do
    const urlEncoded = new URLSearchParams(fieldsFor(wanted, ''))
    const multipart = new FormData()
    for (const [name, text] of urlEncoded) multipart.append(name, text)
    for (const form of [urlEncoded, multipart]) {
      const sent = new Response(form)
      const type = sent.headers.get('content-type') ?? ''
      const fields = await fieldsOf(await sent.bytes(), type)
      expect({ line, body: asBody(fields, body) }).toEqual({ line, body: wanted })
    }
  }
})

test('a hook is made by a form', async () => {
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  const body = new URLSearchParams({ type: 'gitea', 'config[url]': 'http://hooks.example/', 'config[content_type]': 'json', events: 'push,issues' })
  const headers = { Authorization: `token ${ada.token}` }
  const answer = await forge.app.handle(new Request('http://localhost/api/v1/repos/ada/engine/hooks', { method: 'POST', headers, body }))
  expect([answer.status, ((await answer.json()) as { config: unknown }).config]).toEqual([201, { url: 'http://hooks.example/', content_type: 'json' }])
})

test('labels are put on an issue by their ids and by their names', async () => {
  const grace = await forge.person('grace')
  forge.repo(grace, 'engine')
  const at = '/repos/grace/engine'
  await forge.asUser(grace).post(`${at}/issues`, { title: 'one' })
  const { id } = (await forge.asUser(grace).post<{ id: number }>(`${at}/labels`, { name: 'bug', color: '#aabbcc' })).body
  for (const labels of [id, 'bug']) {
    const [method, headers] = ['PUT', { Authorization: `token ${grace.token}` }]
    const answer = await forge.app.handle(
      new Request(`http://localhost/api/v1${at}/issues/1/labels`, { method, headers, body: new URLSearchParams({ labels: String(labels) }) }),
    )
    expect([answer.status, ((await answer.json()) as { name: string }[]).map(({ name }) => name)]).toEqual([200, ['bug']])
  }
})

test.each(['application/json', 'APPLICATION/JSON', 'Application/Json; Charset=UTF-8', 'application/merge-patch+json', ''])(
  'JSON is taken as "%s"',
  async (type) => {
    const { token } = await forge.person(`person${Bun.hash(type) % 1_000_000n}`)
    const headers = { Authorization: `token ${token}`, ...(type && { 'Content-Type': type }) }
    const body = new TextEncoder().encode('{"name":"engine"}')
    expect((await forge.app.handle(new Request('http://localhost/api/v1/user/repos', { method: 'POST', headers, body }))).status).toBe(201)
  },
)

test.each(['gzip', 'br', 'DEFLATE'])('a body that comes as %s is refused by name', async (encoding) => {
  const { token } = await forge.person(`sends-${encoding}`)
  const headers = { Authorization: `token ${token}`, 'Content-Type': 'application/json', 'Content-Encoding': encoding }
  const body = Bun.gzipSync('{"name":"engine"}')
  const answer = await forge.app.handle(new Request('http://localhost/api/v1/user/repos', { method: 'POST', headers, body }))
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([415, expect.stringContaining(encoding.toLowerCase())])
})
