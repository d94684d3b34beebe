import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { PATIENCE } from '../../../test/seeds.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())

test(
  'no page or list is longer than some hundred kilobytes for messages of megabytes',
  async () => {
    const ada = await forge.person('ada')
    fillRepo(forge, forge.repo(ada, 'engine').id, (directory) => {
      writeFileSync(join(directory, 'message'), `Long\n\n${'word #1 a: b\n'.repeat(100_000)}`)
      for (const name of ['one', 'two']) gitIn(directory, 'commit', '-q', '--allow-empty', '--author', `${name} <${name}@example.org>`, '-F', 'message')
      gitIn(directory, 'tag', '-a', 'v1', '-F', 'message')
    })
    const { body: tip } = await forge.get<{ commit: { id: string } }>('/repos/ada/engine/branches/main')
    const api = ['/commits', `/git/commits/${tip.commit.id}`, '/tags', '/branches', '/branches/main'].map((path) => `/api/v1/repos/ada/engine${path}`)
    const pages = ['', '/commits/branch/main', `/commit/${tip.commit.id}`, '/tags', '/branches', '/rss/branch/main'].map((path) => `/ada/engine${path}`)
    for (const path of [...api, ...pages]) {
      const response = await forge.app.handle(new Request(`http://localhost${path}`, { headers: { Accept: 'text/html' } }))
      const text = await response.text()
      expect([path, response.status, text.includes('Long')]).toEqual([path, 200, true])
      expect([path, text.length < 500_000]).toEqual([path, true])
    }
  },
  PATIENCE,
)

test('a list of very long messages tells less of each than a commit by itself does', async () => {
  const bob = await forge.person('bob')
  fillRepo(forge, forge.repo(bob, 'engine').id, (directory) => {
    writeFileSync(join(directory, 'message'), `Long\n\n${'word '.repeat(12_000)}`)
    for (let n = 0; n < 30; n++) gitIn(directory, 'commit', '-q', '--allow-empty', '-F', 'message')
  })
  const list = await forge.get<{ sha: string; commit: { message: string } }[]>('/repos/bob/engine/commits?limit=30')
  const lengths = list.body.map(({ commit }) => commit.message.length)
  expect([lengths.length, Math.max(...lengths) < 36_000, Math.min(...lengths) > 34_000]).toEqual([30, true, true])
  const one = await forge.get<{ commit: { message: string } }>(`/repos/bob/engine/git/commits/${list.body[0]?.sha}`)
  expect(one.body.commit.message.length).toBeGreaterThan(60_000)
})

test('a directory shows of a very long first line no more than a line, however many entries the commit changed', async () => {
  const eve = await forge.person('eve')
  fillRepo(forge, forge.repo(eve, 'engine').id, (directory) => {
    writeFileSync(join(directory, 'message'), `Long ${'word '.repeat(12_000)}`)
    for (let n = 0; n < 30; n++) writeFileSync(join(directory, `${n}.txt`), '')
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-q', '-F', 'message')
  })
  const page = await forge.app.handle(new Request('http://localhost/eve/engine', { headers: { Accept: 'text/html' } }))
  const text = await page.text()
  expect([(text.match(/>Long word /g) ?? []).length > 30, text.length < 100_000]).toEqual([true, true])
})
