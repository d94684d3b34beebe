import { afterAll, describe, expect, test } from 'bun:test'
import { testForge } from '../harness.ts'
import { type ContractRow, operations, otherOperations, payloads, records, searchParameters } from './tables.fixture.ts'

/** Compares the API document with each line of the contract's tables. declared.test.ts compares responses with the document. */

/** Operations of the contract that do not exist yet, and the body that only they have. Take out what exists. */
const missing = { operations: ['repoMirrorSync'], payloads: [] as string[] }

/** Where the document names another body, and why: a comment has no title, which CreateIssueOption requires. */
const otherBodies: Record<string, string> = { issueCreateComment: 'CreateIssueCommentOption' }

interface Schema {
  $ref?: string
  type?: string
  required?: string[]
}
interface Parameter {
  name: string
  in: string
  type?: string
  schema?: Schema
}
interface Operation {
  operationId: string
  deprecated?: boolean
  parameters?: Parameter[]
  responses: Record<string, { schema?: Schema }>
  consumes?: string[]
  produces?: string[]
}

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const { paths, definitions } = (await (await forge.app.handle(new Request('http://localhost/swagger.v1.json'))).json()) as {
  paths: Record<string, Record<string, Operation>>
  definitions: Record<string, Schema>
}

/** Paths are the same if only the names of their parameters, or a slash at the end, differ. */
const shapeOf = (method: string, path: string) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}').replace(/\/$/, '')}`
const declared = new Map(
  Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]): [string, Operation] => [shapeOf(method, path), one])),
)
const findOperation = ([, method, path]: ContractRow) => declared.get(shapeOf(method, path))
const refTo = (name: string) => ({ $ref: `#/definitions/${name}` })
const namesIn = (one: Operation, place: string) => (one.parameters ?? []).flatMap((parameter) => (parameter.in === place ? [parameter.name] : []))

function bodyOf({ parameters = [] }: Operation): Schema | undefined {
  return parameters.find((one) => one.in === 'body')?.schema
}

function requiredIn(schema: Schema | undefined): string[] {
  return (schema?.$ref ? definitions[schema.$ref.slice('#/definitions/'.length)] : schema)?.required ?? []
}

/** What the document has to say of a line's success. */
const successes: Record<string, unknown> = { HTML: refTo('MarkdownRender'), archive: { type: 'file' } }

describe.each(operations.concat(otherOperations).filter((row) => !missing.operations.includes(row[0])))('%s %s %s', (id, ...rest) => {
  const row: ContractRow = [id, ...rest]
  const [, , , body, success, other] = row
  const one = findOperation(row) as Operation

  test('is declared under its id, and as deprecated if it is', () => {
    expect([one.operationId, one.deprecated ?? false]).toEqual([id || one.operationId, other === 'deprecated'])
  })

  test('takes the body and the query parameters', () => {
    const [name = ''] = body.split(' ')
    if (name === '-') expect(requiredIn(bodyOf(one))).toEqual([])
    if (/^[A-Z]/.test(name)) expect(bodyOf(one)).toEqual(refTo(otherBodies[id] ?? name))
    if (name === 'text/plain') expect([one.consumes, bodyOf(one)]).toEqual([['text/plain'], { type: 'string' }])
    const query = [...other.matchAll(/`(\w+)`/g)].map(([, parameter]) => parameter as string)
    expect(namesIn(one, 'query')).toEqual(expect.arrayContaining(query))
  })

  test('answers with the status and record of its success, and with its errors', () => {
    const [status = '', record = ''] = success.split(' ')
    const errors = other.match(/\b[45]\d\d\b/g) ?? []
    expect(Object.keys(one.responses)).toEqual(expect.arrayContaining([...(/^\d+$/.test(status) ? [status] : []), ...errors]))
    const schema = successes[record] ?? (/^[A-Z]/.test(record) ? refTo(record) : undefined)
    if (schema) expect(one.responses[status]?.schema).toMatchObject(schema)
    if (status === '204') expect(one.responses[status]).not.toHaveProperty('schema')
    if (record === 'HTML') expect(one.produces).toContain('text/html')
  })
})

test('only the operations that are known to be missing are not declared', () => {
  const undeclared = operations.concat(otherOperations).filter((row) => !findOperation(row))
  expect(undeclared.map(([id]) => id)).toEqual(missing.operations)
})

test('repoSearch takes the query parameters of the contract, of the same types', () => {
  const { parameters = [] } = paths['/repos/search']?.get ?? {}
  const types = Object.fromEntries(parameters.flatMap(({ name, type }) => (name in searchParameters ? [[name, type]] : [])))
  expect(types).toEqual({ ...searchParameters })
})

test('the document names every kind of record and of body', () => {
  expect(records.filter((name) => !(name in definitions))).toEqual([])
  expect(payloads.filter((name) => !(name in definitions))).toEqual(missing.payloads)
})
