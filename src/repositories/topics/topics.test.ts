import { afterAll, beforeEach, expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
const ada = await forge.person('ada')
for (const name of ['bob', 'carl']) await forge.person(name)
forge.repo(ada, 'engine')
forge.repo(ada, 'mill')
forge.repo(ada, 'secret', { private: true })
await asAda.put('/repos/ada/engine/collaborators/bob', { permission: 'write' })

interface Answer {
  topics: string[]
  invalidTopics?: unknown
  message?: string
}
const topicsOf = async (name = 'engine') => (await asAda.get<Answer>(`/repos/ada/${name}/topics`)).body.topics
beforeEach(async () => {
  for (const name of ['engine', 'mill', 'secret']) await asAda.put(`/repos/ada/${name}/topics`, { topics: [] })
})
const many = Array.from({ length: 26 }, (_, i) => `topic-${i}`)

test('topics are replaced as a whole: trimmed, in lower case, blanks and repetitions dropped, and the record shows them', async () => {
  expect((await asAda.put('/repos/ada/engine/topics', { topics: [' Math ', 'steam', 'math', '', 'c.90-x'] })).status).toBe(204)
  expect(await topicsOf()).toEqual(['c.90-x', 'math', 'steam'])
  expect((await asAda.get<Answer>('/repos/ada/engine')).body.topics).toEqual(['c.90-x', 'math', 'steam'])
  expect((await asAda.put('/repos/ada/engine/topics', { topics: ['steam', 'brass'] })).status).toBe(204)
  expect(await topicsOf()).toEqual(['brass', 'steam'])
  const second = await asAda.get<Answer>('/repos/ada/engine/topics?limit=1&page=2')
  expect([second.body.topics, second.headers.get('x-total-count')]).toEqual([['steam'], '2'])
  await asAda.put('/repos/ada/engine/topics', {})
  expect(await topicsOf()).toEqual([])
})

test.each([
  ['too many', { topics: many }, 'Exceeding maximum number of topics per repo', null],
  ['too many, before names are looked at', { topics: [...many, '!'] }, 'Exceeding maximum number of topics per repo', null],
  ['bad names', { topics: ['ok', '-x', 'a b', 'é', 'x'.repeat(36)] }, 'Topic names are invalid', ['-x', 'a b', 'é', 'x'.repeat(36)]],
])('a list with %s is refused whole', async (_, body, message, invalidTopics) => {
  await asAda.put('/repos/ada/mill/topics', { topics: ['kept'] })
  const reply = await asAda.put<Answer>('/repos/ada/mill/topics', body)
  expect([reply.status, reply.body]).toMatchObject([422, { message, invalidTopics }])
  expect(await topicsOf('mill')).toEqual(['kept'])
})

test('one topic is added again and again, and deleted once', async () => {
  for (const name of ['Water', 'water']) expect((await asAda.put(`/repos/ada/engine/topics/${name}`)).status).toBe(204)
  expect(await topicsOf()).toEqual(['water'])
  expect((await asAda.delete('/repos/ada/engine/topics/WATER')).status).toBe(204)
  expect((await asAda.delete('/repos/ada/engine/topics/water')).status).toBe(404)
  for (const method of ['PUT', 'DELETE']) {
    const reply = await asAda.send<Answer>(`${method} /repos/ada/engine/topics/${encodeURIComponent('../x')}`)
    expect([reply.status, reply.body]).toMatchObject([422, { message: 'Topic name is invalid', invalidTopics: '../x' }])
  }
})

test('a repository holds 25 topics, however many are added at once', async () => {
  const statuses = await Promise.all(many.map(async (name) => (await asAda.put(`/repos/ada/engine/topics/${name}`)).status))
  expect(statuses.toSorted()).toEqual([...Array(25).fill(204), 422])
  expect((await topicsOf()).length).toBe(25)
  await asAda.put('/repos/ada/engine/topics', { topics: [] })
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
    expect((await forge.asUser(as).send(line, { body })).status).toBe(status)
  expect(await topicsOf()).toEqual([])
})

test('a search finds parts of topics, the most used first, and counts only what the caller sees', async () => {
  await asAda.put('/repos/ada/engine/topics', { topics: ['steam', 'steampunk'] })
  await asAda.put('/repos/ada/mill/topics', { topics: ['steam'] })
  await asAda.put('/repos/ada/secret/topics', { topics: ['steam', 'secret-steam'] })
  const search = async (as: string | undefined, q: string) => {
    const { body, headers } = await forge.asUser(as).get<{ topics: { id: number; topic_name: string; repo_count: number }[] }>(`/topics/search?q=${q}`)
    return [...body.topics.map(({ topic_name, repo_count }) => `${topic_name} ${repo_count}`), headers.get('x-total-count')]
  }
  expect(await search('ada', 'STEAM')).toEqual(['steam 3', 'secret-steam 1', 'steampunk 1', '3'])
  for (const as of ['carl', undefined]) expect(await search(as, 'team')).toEqual(['steam 2', 'steampunk 1', '2'])
  expect(await search('carl', 'secret')).toEqual(['0'])
  expect(await search('carl', '%25')).toEqual(['0'])
})

test('a topic keeps its id while repositories come and go', async () => {
  const idOf = async () => (await asAda.get<{ topics: { id: number }[] }>('/topics/search?q=steampunk')).body.topics[0]?.id
  await asAda.put('/repos/ada/engine/topics', { topics: ['steampunk'] })
  const before = await idOf()
  await asAda.put('/repos/ada/engine/topics', { topics: [] })
  expect(await idOf()).toBeUndefined()
  await asAda.put('/repos/ada/mill/topics/steampunk')
  expect(await idOf()).toBe(before as number)
})
