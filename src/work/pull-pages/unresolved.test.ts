import { expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'

test('conversations that nobody has resolved are listed above the files, and one whose lines are gone shows them', async () => {
  await using forge = testForge()
  const { ada, bob } = await repositoryWithPeople(forge, { bob: 'none' })
  const put = (path: string, text: string, more: Record<string, string>) =>
    forge.asUser('ada').post<{ content: { sha: string } }>(`/repos/ada/engine/contents/${path}`, { content: btoa(text), message: path, ...more })
  const { body: made } = await put('a.txt', 'one\n', { branch: 'main', new_branch: 'topic' })
  await put('b.txt', 'two\n', { branch: 'topic' })
  await forge.asUser('ada').post('/repos/ada/engine/pulls', { title: 'Take it', head: 'topic', base: 'main' })
  const comments = ['a.txt', 'b.txt'].map((path) => ({ path, body: `Why ${path}?`, new_position: 1 }))
  expect((await forge.asUser('bob').post('/repos/ada/engine/pulls/1/reviews', { event: 'COMMENT', comments })).status).toBe(200)
  const hers = new TestBrowser(forge, ada)
  const files = async () => (await hers.get('/ada/engine/pulls/1/files')).text
  const listed = async () =>
    [...(await files()).matchAll(/<li><a href="[^"]*#issuecomment-(\d+)">([^<]*)<\/a>, by bob/g)].map(([, id, place]) => [id, place] as const)
  expect((await listed()).map(([, place]) => place)).toEqual(['a.txt, line 1', 'b.txt, line 1'])
  expect(await files()).toContain('2 unresolved conversations')
  const [[, [id = ''] = []] = []] = [await listed()]
  expect((await hers.post(`/ada/engine/pulls/1/comments/${id}/resolve`, { action: 'resolve' })).status).toBe(303)
  expect((await listed()).map(([, place]) => place)).toEqual(['a.txt, line 1'])
  await forge.asUser('ada').put('/repos/ada/engine/contents/a.txt', { content: btoa('other\n'), message: 'Other', branch: 'topic', sha: made.content.sha })
  expect(await files()).toContain('<span class="mark">Outdated</span>')
  const { text } = await new TestBrowser(forge, bob).get('/ada/engine/pulls/1')
  expect(text).toMatch(/<tr class="add"><td class="n"><\/td><td class="n">1<\/td><td>\+one/)
})
