import { afterAll, beforeEach, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
for (const name of ['bob', 'carl']) await forge.person(name)
forge.repo(ada, 'engine')
forge.repo(ada, 'mill')
forge.repo(ada, 'secret', { private: true })
await forge.call('PUT /repos/ada/engine/collaborators/bob', { as: 'ada', body: { permission: 'write' } })

interface Answer {
  topics: string[]
  invalidTopics?: unknown
  message?: string
}
const ask = (line: string, body?: unknown, as: string | undefined = 'ada') => forge.call<Answer>(line, { as, body })
const topicsOf = async (name = 'engine') => (await ask(`GET /repos/ada/${name}/topics`)).body.topics
beforeEach(async () => {
  for (const name of ['engine', 'mill', 'secret']) await ask(`PUT /repos/ada/${name}/topics`, { topics: [] })
})
const many = Array.from({ length: 26 }, (_, i) => `topic-${i}`)

test('topics are replaced as a whole: trimmed, in lower case, blanks and repetitions dropped, and the record shows them', async () => {
  expect((await ask('PUT /repos/ada/engine/topics', { topics: [' Math ', 'steam', 'math', '', 'c.90-x'] })).status).toBe(204)
  expect(await topicsOf()).toEqual(['c.90-x', 'math', 'steam'])
  expect((await forge.call<Answer>('GET /repos/ada/engine', { as: 'ada' })).body.topics).toEqual(['c.90-x', 'math', 'steam'])
  expect((await ask('PUT /repos/ada/engine/topics', { topics: ['steam', 'brass'] })).status).toBe(204)
  expect(await topicsOf()).toEqual(['brass', 'steam'])
  const second = await ask('GET /repos/ada/engine/topics?limit=1&page=2')
  expect([second.body.topics, second.headers.get('x-total-count')]).toEqual([['steam'], '2'])
  await ask('PUT /repos/ada/engine/topics', {})
  expect(await topicsOf()).toEqual([])
})

test.each([
  ['too many', { topics: many }, 'Exceeding maximum number of topics per repo', null],
  ['too many, before names are looked at', { topics: [...many, '!'] }, 'Exceeding maximum number of topics per repo', null],
  ['bad names', { topics: ['ok', '-x', 'a b', 'é', 'x'.repeat(36)] }, 'Topic names are invalid', ['-x', 'a b', 'é', 'x'.repeat(36)]],
])('a list with %s is refused whole', async (_, body, message, invalidTopics) => {
  await ask('PUT /repos/ada/mill/topics', { topics: ['kept'] })
  const reply = await ask('PUT /repos/ada/mill/topics', body)
  expect([reply.status, reply.body]).toMatchObject([422, { message, invalidTopics }])
  expect(await topicsOf('mill')).toEqual(['kept'])
})

test('one topic is added again and again, and deleted once', async () => {
  for (const name of ['Water', 'water']) expect((await ask(`PUT /repos/ada/engine/topics/${name}`)).status).toBe(204)
  expect(await topicsOf()).toEqual(['water'])
  expect((await ask('DELETE /repos/ada/engine/topics/WATER')).status).toBe(204)
  expect((await ask('DELETE /repos/ada/engine/topics/water')).status).toBe(404)
  for (const method of ['PUT', 'DELETE']) {
    const reply = await ask(`${method} /repos/ada/engine/topics/${encodeURIComponent('../x')}`)
    expect([reply.status, reply.body]).toMatchObject([422, { message: 'Topic name is invalid', invalidTopics: '../x' }])
  }
})

test('a repository holds 25 topics, however many are added at once', async () => {
  const statuses = await Promise.all(many.map(async (name) => (await ask(`PUT /repos/ada/engine/topics/${name}`)).status))
  expect(statuses.toSorted()).toEqual([...Array(25).fill(204), 422])
  expect((await topicsOf()).length).toBe(25)
  await ask('PUT /repos/ada/engine/topics', { topics: [] })
})

test.each([
  ['bob', 403],
  ['carl', 403],
  [undefined, 401],
] as const)('%s does not change topics', async (as, status) => {
  for (const [line, body] of [
    ['PUT /repos/ada/engine/topics', { topics: ['x'] }],
    ['PUT /repos/ada/engine/topics/x', undefined],
    ['DELETE /repos/ada/engine/topics/x', undefined],
  ] as const)
    expect((await forge.call(line, { as, body })).status).toBe(status)
  expect(await topicsOf()).toEqual([])
})

test('a search finds parts of topics, the most used first, and counts only what the caller sees', async () => {
  await ask('PUT /repos/ada/engine/topics', { topics: ['steam', 'steampunk'] })
  await ask('PUT /repos/ada/mill/topics', { topics: ['steam'] })
  await ask('PUT /repos/ada/secret/topics', { topics: ['steam', 'secret-steam'] })
  const search = async (as: string | undefined, q: string) => {
    const { body, headers } = await forge.call<{ topics: { id: number; topic_name: string; repo_count: number }[] }>(`GET /topics/search?q=${q}`, { as })
    return [...body.topics.map(({ topic_name, repo_count }) => `${topic_name} ${repo_count}`), headers.get('x-total-count')]
  }
  expect(await search('ada', 'STEAM')).toEqual(['steam 3', 'secret-steam 1', 'steampunk 1', '3'])
  for (const as of ['carl', undefined]) expect(await search(as, 'team')).toEqual(['steam 2', 'steampunk 1', '2'])
  expect(await search('carl', 'secret')).toEqual(['0'])
  expect(await search('carl', '%25')).toEqual(['0'])
})

test('a topic keeps its id while repositories come and go', async () => {
  const idOf = async () => (await forge.call<{ topics: { id: number }[] }>('GET /topics/search?q=steampunk', { as: 'ada' })).body.topics[0]?.id
  await ask('PUT /repos/ada/engine/topics', { topics: ['steampunk'] })
  const before = await idOf()
  await ask('PUT /repos/ada/engine/topics', { topics: [] })
  expect(await idOf()).toBeUndefined()
  await ask('PUT /repos/ada/mill/topics/steampunk')
  expect(await idOf()).toBe(before as number)
})
