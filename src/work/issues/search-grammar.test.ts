import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { type Person, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge = testForge()
const ada = forge.asUser('ada')
const people: Record<string, Person> = {}

beforeAll(async () => {
  for (const name of ['ada', 'bob', 'eve']) people[name] = await forge.person(name)
  await forge.person('hidden', { visibility: 'private' })
  forge.repo(people.ada as Person, 'engine')
  forge.repo(people.ada as Person, 'other')
  for (const name of ['bug', 'question', 'Good first issue', 'a,b']) await ada.post('/repos/ada/engine/labels', { name, color: '#abcdef' })
  await ada.post('/repos/ada/engine/milestones', { title: 'v1' })
  const open = async (title: string, body: string, labels: string[], as = 'ada') => {
    const { number } = (await forge.asUser(people[as]).post('/repos/ada/engine/issues', { title, body })).body as { number: number }
    if (labels.length > 0) await ada.post(`/repos/ada/engine/issues/${number}/labels`, { labels })
  }
  await open('Crash at start', 'The pump leaks', ['bug'])
  await open('Leak in the pump', 'Crash of the valve', ['question'], 'bob')
  await open('Manual', 'Ask @bob about issue 3 and the crash report', [], 'eve')
  await open('Closed one', 'valve', ['bug', 'question'])
  await open('WIP: Better pump', '', ['a,b'])
  await open('Merged pump', '', ['Good first issue'])
  const { db } = forge.context
  const at = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000
  db.tx((tx) => {
    for (const [number, created] of Object.entries({ 1: '2026-01-01', 2: '2026-01-15', 3: '2026-02-01', 4: '2026-03-01', 5: '2026-04-01', 6: '2026-05-01' }))
      tx.run('UPDATE issue SET created_at = ?, updated_at = ? WHERE number = ?', at(created), at(created) + 86_400, Number(number))
    tx.run('UPDATE issue SET is_pull = 1 WHERE number IN (5, 6)')
    tx.run('UPDATE issue SET is_closed = 1, closed_at = ? WHERE number IN (4, 6)', at('2026-06-01'))
    tx.run('UPDATE repository SET (open_issue_count, closed_issue_count, open_pull_count, closed_pull_count) = (3, 1, 1, 1) WHERE id = 1')
    tx.run('UPDATE issue SET merged_at = closed_at WHERE number = 6')
  })
  await forge.asUser('eve').post('/repos/ada/engine/issues/2/comments', { body: 'I saw that crash as well' })
  await forge.asUser('eve').post('/repos/ada/engine/issues/2/comments', { body: 'And a rattle' })
  await forge.asUser('bob').post('/repos/ada/engine/issues/1/comments', { body: 'Thank you' })
  await ada.patch('/repos/ada/engine/issues/1', { assignees: ['ada'], milestone: 1 })
  await ada.post('/repos/ada/other/issues', { title: 'Elsewhere', body: 'crash' })
})
afterAll(() => forge[Symbol.asyncDispose]())

async function numbers(q: string, more = '&state=all'): Promise<number[]> {
  const { status, body } = await ada.get<{ number: number }[]>(`/repos/ada/engine/issues?q=${encodeURIComponent(q)}${more}`)
  expect([q, status]).toEqual([q, 200])
  return body.map(({ number }) => number)
}

const cases: [q: string, found: number[]][] = [
  ['is:open', [1, 2, 3, 5]],
  ['state:closed', [4, 6]],
  ['is:pr', [5, 6]],
  ['type:issue', [1, 2, 3, 4]],
  ['is:merged', [6]],
  ['is:unmerged', [5]],
  ['is:draft', [5]],
  ['is:unlocked is:public is:issue is:closed', [4]],
  ['author:bob', [2]],
  ['author:@me', [1, 4, 5, 6]],
  ['author:bob,eve', [2, 3]],
  ['assignee:ada', [1]],
  ['assignee:*', [1]],
  ['-assignee:@me is:issue', [2, 3, 4]],
  ['mentions:bob', [3]],
  ['commenter:eve', [2]],
  ['involves:bob', [1, 2, 3]],
  ['involves:eve -author:eve', [2]],
  ['label:bug', [1, 4]],
  ['label:BUG', [1, 4]],
  ['label:bug label:question', [4]],
  ['label:bug,question', [1, 2, 4]],
  ['label:"good first issue"', [6]],
  ['label:"a,b"', [5]],
  ['-label:bug', [2, 3, 5, 6]],
  ['-label:bug,question', [3, 5, 6]],
  ['label:bug -label:question', [1]],
  ['label:no-such', []],
  ['-label:no-such is:pr', [5, 6]],
  ['milestone:v1', [1]],
  ['milestone:*', [1]],
  ['no:label', [3]],
  ['no:milestone is:open', [2, 3, 5]],
  ['no:label,assignee is:open', [2, 3, 5]],
  ['crash in:title', [1]],
  ['crash in:body', [2, 3]],
  ['crash in:comments', [2]],
  ['crash in:title,comments', [1, 2]],
  ['created:2026-01-01', [1]],
  ['created:>2026-01-15', [3, 4, 5, 6]],
  ['created:<=2026-01-15', [1, 2]],
  ['created:2026-01-15..2026-03-01', [2, 3, 4]],
  ['created:>=2026-04-01T12:00:00Z', [5, 6]],
  ['updated:<2026-01-02', []],
  ['closed:2026-06-01', [4, 6]],
  ['-closed:2026-06-01', [1, 2, 3, 5]],
  ['merged:>2026-01-01', [6]],
  ['comments:>1', [2]],
  ['comments:1..2', [1, 2]],
  ['-comments:0', [1, 2]],
  ['crash', [1, 2, 3]],
  ['crash valve', [2]],
  ['rattle OR manual', [2, 3]],
  ['"crash report"', [3]],
  ['"report crash"', []],
  ['crash -rattle', [1, 3]],
  ['crash NOT "crash report" NOT rattle', [1]],
  ['-crash', [4, 5, 6]],
  ['label:question OR manual', [2, 3, 4]],
  ['(label:question OR manual) crash', [2, 3]],
  ['label:bug is:open OR is:merged', [1, 6]],
  ['NOT (label:bug OR label:question) is:issue', [3]],
  ['3', [3]],
  ['#3', [3]],
  ['report 3', [3]],
  ['1 OR manual', [1, 3]],
  ['5 OR #6', [5, 6]],
  ['label:bug OR 3', [1, 3, 4]],
  ['repo:ada/engine is:merged', [6]],
  ['repo:ada/other', []],
  ['org:ada is:draft', [5]],
  ['author:no-such OR label:question', [2, 4]],
]

test.each(cases)('%s finds exactly the issues that fit', async (q, found) => expect((await numbers(q)).toSorted((a, b) => a - b)).toEqual(found))

test('an issue comes before those that mention its number', async () => {
  await ada.post('/repos/ada/engine/issues', { title: 'Like 5', body: '' })
  expect(await numbers('5')).toEqual([5, 7])
  await ada.delete('/repos/ada/engine/issues/7')
})

test.each([
  ['sort:created-asc', [1, 2, 3, 4, 5, 6]],
  ['sort:created', [6, 5, 4, 3, 2, 1]],
  ['sort:oldest', [1, 2, 3, 4, 5, 6]],
  ['crash sort:created-asc', [1, 2, 3]],
  ['(label:bug OR manual) sort:created-asc', [1, 3, 4]],
])('%s orders what is found', async (q, found) => expect(await numbers(q)).toEqual(found))

test('the default state and the other parameters narrow down what a search finds', async () => {
  expect(await numbers('label:bug', '')).toEqual([1])
  expect(await numbers('is:closed', '')).toEqual([6, 4])
  expect(await numbers('closed:>2026-01-01', '')).toEqual([6, 4])
  expect(await numbers('is:closed', '&state=open')).toEqual([])
  expect(await numbers('-label:question', '&labels=bug&state=all')).toEqual([1])
  expect(await numbers('is:pr', '&type=issues&state=all')).toEqual([])
  expect(await numbers('is:pr OR label:bug', '&type=issues&state=all')).toEqual([4, 1])
})

describe('in all repositories', () => {
  const search = async (q: string, as = 'ada') =>
    (await forge.asUser(people[as]).get<{ number: number; repository: { name: string } }[]>(`/repos/issues/search?state=all&q=${encodeURIComponent(q)}`)).body
      .map(({ number, repository }) => `${repository.name}#${number}`)
      .toSorted()

  test.each(cases.filter(([q]) => !/^(?:-?label:no-such|repo:)/.test(q)))('%s finds the same there', async (q, found) =>
    expect(await search(`repo:ada/engine ${q.includes(' OR ') ? `(${q})` : q}`)).toEqual(found.map((number) => `engine#${number}`)),
  )

  test('a number is one of any repository', async () => {
    expect(await search('1')).toEqual(['engine#1', 'other#1'])
    expect(await search('crash -label:bug,question')).toEqual(['engine#3', 'other#1'])
  })

  test('nothing tells of what the viewer may not see', async () => {
    forge.repo(people.ada as Person, 'secret', { private: true })
    await ada.post('/repos/ada/secret/issues', { title: 'crash' })
    for (const q of ['repo:ada/secret', 'is:private', 'NOT is:public', 'label:x OR repo:ada/secret']) expect([q, await search(q, 'bob')]).toEqual([q, []])
    for (const q of ['author:hidden', 'author:@me', 'crash OR 1']) expect((await search(q, 'bob')).filter((one) => one.startsWith('secret'))).toEqual([])
  })
})

test.each([
  'is:weird',
  'state:draft',
  'type:bug',
  'no:way',
  'in:code',
  'created:yesterday',
  'comments:many',
  'sort:stars',
  '-sort:oldest',
  '((((((a))))))',
  `label:${'a,'.repeat(31)}`,
  'x'.repeat(1001),
  'commenter:ada '.repeat(11),
  Array.from({ length: 6 }, (_, i) => `(label:bug w${i})`).join(' OR '),
])('programs are refused %p', async (q) => {
  for (const path of ['/repos/ada/engine/issues', '/repos/issues/search'])
    expect((await forge.get<{ message: string }>(`${path}?q=${encodeURIComponent(q)}`)).status).toBe(422)
})

test('what only looks like a qualifier is searched for as text', async () => {
  await ada.post('/repos/ada/other/issues', { title: 'TypeError:undefined at http://x.example' })
  for (const q of ['TypeError:undefined', 'http://x.example', 'TypeError: undefined'])
    expect((await forge.get<unknown[]>(`/repos/ada/other/issues?q=${encodeURIComponent(q)}`)).body).toHaveLength(1)
})

const parts = [
  ...cases.flatMap(([q]) => q.split(' ')),
  'OR',
  'AND',
  'NOT',
  '(',
  ')',
  '-',
  '"',
  'ß',
  '東京',
  '*',
  'label:,',
  '""',
  ':',
  '-(',
  "'",
  'NEAR',
  '{title}',
  '^',
]
property('any mixture of its parts is answered', soak(60, 300), async (random) => {
  const q = Array.from({ length: 1 + random.below(12) }, () => parts[random.below(parts.length)]).join(random.below(5) > 0 ? ' ' : '')
  for (const path of ['/repos/ada/engine/issues', '/repos/issues/search']) {
    const { status } = await ada.get(`${path}?q=${encodeURIComponent(q)}`)
    expect([q, status === 422 ? 200 : status]).toEqual([q, 200])
  }
})
