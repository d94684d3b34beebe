import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'
import { commitFile, repositoryWithPeople } from '../../../test/worlds.ts'

const forge = testForge()
const asAda = forge.asUser('ada')
let hers: TestBrowser
const base = '/repos/ada/engine'

beforeAll(async () => {
  const { ada } = await repositoryWithPeople(forge, {})
  hers = new TestBrowser(forge, ada)
})
afterAll(() => forge[Symbol.asyncDispose]())

async function branch(name: string, from: string): Promise<void> {
  await commitFile(asAda, { branch: from, newBranch: name, path: `${name}.txt`, text: name })
}

async function open(head: string, into: string): Promise<number> {
  const { status, body } = await asAda.post<{ number: number }>(`${base}/pulls`, { title: `Take ${head}`, head, base: into })
  expect(status).toBe(201)
  return body.number
}

/** What the stack on a page says, line by line: `> ` before the one that the page shows. */
async function stackOn(number: number): Promise<string[]> {
  const { text } = await hers.get(`/ada/engine/pulls/${number}`)
  const [, section = ''] = /<section class="stack[^>]*>(.*?)<\/section>/s.exec(text) ?? []
  return [...section.matchAll(/<li( aria-current="true")?>(.*?)<\/li>/gs)].map(([, isThis, line = '']) => {
    return `${isThis ? '> ' : ''}${line
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ')
      .trim()}`
  })
}

const baseOf = async (number: number) => (await asAda.get<{ base: { ref: string } }>(`${base}/pulls/${number}`)).body.base.ref

test('each of a stack shows all of it in the order in which they are merged, and which one it waits for', async () => {
  await branch('one', 'main')
  await branch('two', 'one')
  await branch('three', 'two')
  const [first, second, third] = [await open('one', 'main'), await open('two', 'one'), await open('three', 'two')]
  const lines = [`#${first} Take one into main Open`, `#${second} Take two into one Open`, `#${third} Take three into two Open`]
  for (const [at, number] of [first, second, third].entries()) {
    expect(await stackOn(number)).toEqual(lines.map((line, i) => (i === at ? `> ${line}` : line)))
  }
  expect((await hers.get(`/ada/engine/pulls/${second}`)).text).toContain(`href="/ada/engine/pulls/${first}">#${first} Take one</a>, which must be merged first`)
})

test('a pull request that stands alone shows no stack, and one into the default branch depends on nothing', async () => {
  await branch('alone', 'main')
  await branch('release', 'main')
  const alone = await open('alone', 'main')
  await branch('ahead', 'main')
  await open('main', 'release').catch(() => 0)
  expect(await stackOn(alone)).toEqual([])
})

test('when the lowest is merged and its branch goes, the next one goes where that went', async () => {
  await branch('next', 'main')
  await branch('low', 'next')
  await branch('high', 'low')
  const [low, high] = [await open('low', 'next'), await open('high', 'low')]
  expect((await asAda.post(`${base}/pulls/${low}/merge`, { Do: 'merge', delete_branch_after_merge: true })).status).toBe(200)
  expect(await baseOf(high)).toBe('next')
  expect(await stackOn(high)).toEqual([])
  expect((await hers.get(`/ada/engine/pulls/${high}`)).text).toContain('changed the base branch from <code>low</code> to <code>next</code>')
})

test('so it does when the branch goes some time after the merge', async () => {
  await branch('later', 'main')
  await branch('under', 'later')
  await branch('over', 'under')
  const [under, over] = [await open('under', 'later'), await open('over', 'under')]
  expect((await asAda.post(`${base}/pulls/${under}/merge`, { Do: 'squash' })).status).toBe(200)
  expect((await asAda.delete(`${base}/branches/under`)).status).toBe(204)
  expect(await baseOf(over)).toBe('later')
})

test('branches that lead in a circle, and many that lead to one, are shown once each and within bounds', async () => {
  await branch('left', 'main')
  await branch('right', 'left')
  await branch('right-2', 'right')
  const body = { branch: 'left', content: btoa('more'), message: 'More' }
  await asAda.post(`${base}/contents/more.txt`, body)
  const [there, back] = [await open('left', 'right'), await open('right', 'left')]
  expect((await stackOn(there)).length).toBe(2)
  expect((await stackOn(back)).length).toBe(2)
  await branch('hub', 'main')
  const hub = await open('hub', 'main')
  await branch('spoke', 'hub')
  for (let i = 0; i < 70; i++) {
    expect((await asAda.post(`${base}/branches`, { new_branch_name: `spoke-${i}`, old_ref_name: 'spoke' })).status).toBe(201)
    await open(`spoke-${i}`, 'hub')
  }
  const lines = await stackOn(hub)
  expect([lines.length > 10, lines.length <= 60]).toEqual([true, true])
})
