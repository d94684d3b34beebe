import { describe, expect, test } from 'bun:test'
import { RouteTable } from './route-table.ts'

const table = RouteTable.of([
  ['users', 'GET', '/users/:username'],
  ['search', 'GET', '/users/search'],
  ['keys', 'GET', '/users/:username/keys'],
  ['keys', 'DELETE', '/users/:username/keys/:id'],
  ['contents', 'GET', '/repos/:owner/:repo/raw/*'],
  ['topics', 'PUT', '/repos/:owner/:repo/topics'],
  ['home', 'GET', '/'],
])

const rows: [line: string, part: string | undefined][] = [
  ['GET /users/ada', 'users'],
  ['GET /users/ada/', 'users'],
  ['HEAD /users/ada', 'users'],
  ['GET /users/search', 'search'],
  ['GET /users/search/keys', 'keys'],
  ['DELETE /users/ada/keys/7', 'keys'],
  ['GET /repos/ada/engine/raw/a/b/c.txt', 'contents'],
  ['PUT /repos/ada/engine/topics', 'topics'],
  ['GET /', 'home'],
  ['POST /users/ada', undefined],
  ['GET /users', undefined],
  ['GET /users//keys', undefined],
  ['GET /users/ada/keys/7/more', undefined],
  ['GET /constructor', undefined],
  ['constructor /users/ada', undefined],
  ['GET /__proto__/x', undefined],
  ['GET /users/toString/valueOf', undefined],
]

describe('the table of routes', () => {
  test.each(rows)('%s', (line, part) => {
    const [method, path] = line.split(' ') as [string, string]
    expect(table.find(method, path)).toBe(part)
  })

  test.each(rows)('says the same when it was carried as JSON: %s', (line, part) => {
    const [method, path] = line.split(' ') as [string, string]
    expect(new RouteTable(JSON.parse(JSON.stringify(table.root))).find(method, path)).toBe(part)
  })

  test('names the methods of a path', () => {
    expect(table.methodsAt('/users/ada/keys')).toEqual(['GET', 'HEAD'])
    expect(table.methodsAt('/repos/ada/engine/topics')).toEqual(['PUT'])
    expect(table.methodsAt('/nowhere')).toEqual([])
  })
})
