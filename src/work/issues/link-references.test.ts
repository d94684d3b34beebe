import { afterAll, expect, spyOn } from 'bun:test'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { testsInOrder } from '../../../test/in-order.ts'
import { actionOf, referencesIn } from './link-references.ts'

/** Each test goes on from what those before it left. */
const test = testsInOrder()

const forge: TestForge = testForge()
const ada = forge.asUser('ada')
afterAll(() => forge[Symbol.asyncDispose]())
for (const name of ['ada', 'bob']) await forge.person(name)
for (const [name, isPrivate] of Object.entries({ engine: false, other: false, secret: true })) await ada.post('/user/repos', { name, private: isPrivate })
const titles = async (who: string, line: string) =>
  ((await forge.asUser(who).send<{ ref_issue: { title: string } | null }[] | null>(line)).body ?? []).flatMap(({ ref_issue }) => ref_issue?.title ?? [])

const leads: [language: string, lead: string][] = [
  ['English', 'closes '],
  ['German', 'Schließt: '],
  ['Russian', 'закрывает '],
  ['Thai, whose vowels stand above their letters', 'ปิด '],
  ['Hindi', 'बंद '],
  ['Chinese', '修复: '],
]
test.each(leads)('a word of %s closes when the settings say so', (_, lead) => {
  const CLOSE_KEYWORDS = ['closes', 'schließt', 'закрывает', 'ปิด', 'बंद', '修复']
  const config = { ...forge.context.config, 'repository.pull-request': { ...forge.context.config['repository.pull-request'], CLOSE_KEYWORDS } }
  expect([actionOf({ config }, lead), actionOf({ config }, `un${lead}`), actionOf({ config }, lead.trim())]).toEqual(['closes', 'none', 'none'])
})

test('the number that an issue had before it was moved still names it, for who may read it where it is', async () => {
  for (const [title, repo] of [
    ['to the other', 'other'],
    ['to the secret', 'secret'],
  ] as const) {
    const { number } = (await ada.post<{ number: number }>('/repos/ada/engine/issues', { title })).body
    expect((await ada.post(`/repos/ada/engine/issues/${number}/move`, { owner: 'ada', repo })).status).toBe(201)
  }
  await forge.asUser('bob').post('/repos/ada/engine/issues', { title: 'By bob', body: '#1 and #2' })
  expect(await titles('ada', 'GET /repos/ada/other/issues/1/timeline')).toEqual(['By bob'])
  expect(await titles('ada', 'GET /repos/ada/secret/issues/1/timeline')).toEqual([])
})

test('what a text names over and over is looked up once', async () => {
  const { number } = (await ada.post<{ number: number }>('/repos/ada/other/issues', { title: 'Named often' })).body
  const { context } = forge
  const doer = context.db.find("SELECT * FROM user WHERE name = 'ada'") as Parameters<typeof referencesIn>[1]['doer']
  const repoId = context.db.find<{ id: number }>("SELECT id FROM repository WHERE name = 'other'")?.id ?? 0
  const find = spyOn(context.db, 'find')
  const asked = (text: string) => {
    find.mockClear()
    const found = referencesIn(context.db, { context, doer }, repoId, text)
    return { titles: found.map(({ target }) => target.title), count: find.mock.calls.length }
  }
  const once = asked(`#${number}`)
  expect(once.titles).toEqual(['Named often'])
  const often = asked(`#${number} `.repeat(200))
  expect(often.titles).toEqual(once.titles)
  expect(often.count).toBeLessThanOrEqual(once.count)
  find.mockRestore()
})
