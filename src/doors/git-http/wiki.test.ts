import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { createOrg } from '#people/orgs/index.ts'
import { testForge } from '../../../test/harness.ts'

const forge = testForge()
const boss = forge.asUser('boss')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const units = { open: {}, closed: { private: true }, wikiOnly: {}, codeOnly: {}, bare: {}, noWiki: {}, archived: {}, narrow: {} }

beforeAll(async () => {
  for (const name of ['ada', 'writer', 'stranger', 'wikiteam', 'codeteam']) await forge.person(name)
  const ada = await forge.person('boss')
  createOrg(forge.context, ada.row, { username: 'acme' })
  for (const [name, more] of Object.entries(units)) {
    const made = await boss.post('/orgs/acme/repos', { name, auto_init: true, private: name === 'wikiOnly' || name === 'codeOnly', ...more })
    expect(made.status).toBe(201)
    await boss.put(`/repos/acme/${name}/collaborators/writer`, { permission: 'write' })
    if (name !== 'bare') expect((await boss.post(`/repos/acme/${name}/wiki/new`, { title: 'Home', content_base64: base64('hi') })).status).toBe(201)
  }
  for (const [team, unit, repo] of [
    ['wikiteam', 'repo.wiki', 'wikiOnly'],
    ['codeteam', 'repo.code', 'codeOnly'],
  ] as const) {
    const { body } = await boss.post('/orgs/acme/teams', { name: team, permission: 'write', units_map: { [unit]: 'write' } })
    await boss.put(`/teams/${body.id}/members/${team}`)
    await boss.put(`/teams/${body.id}/repos/acme/${repo}`)
  }
  await boss.patch('/repos/acme/noWiki', { has_wiki: false })
  await boss.patch('/repos/acme/archived', { archived: true })
})
afterAll(() => forge[Symbol.asyncDispose]())

async function ask(who: string | undefined, path: string, service: string): Promise<number> {
  const headers: Record<string, string> = who === undefined ? {} : { Authorization: `Basic ${btoa(`${who}:${forge.token(who, 'all')}`)}` }
  return (await forge.app.handle(new Request(`http://localhost/acme/${path}/info/refs?service=${service}`, { headers }))).status
}

/** Fetching and pushing, of the code and of the wiki. Who may read the code is let in to propose changes. */
const table: [repo: string, who: string | undefined, code: [number, number], wiki: [number, number]][] = [
  ['open', undefined, [200, 401], [200, 401]],
  ['open', 'stranger', [200, 200], [200, 403]],
  ['open', 'writer', [200, 200], [200, 200]],
  ['closed', undefined, [401, 401], [401, 401]],
  ['closed', 'stranger', [404, 404], [404, 404]],
  ['closed', 'writer', [200, 200], [200, 200]],
  ['wikiOnly', 'wikiteam', [404, 404], [200, 200]],
  ['codeOnly', 'codeteam', [200, 200], [404, 404]],
  ['bare', undefined, [200, 401], [401, 401]],
  ['bare', 'stranger', [200, 200], [404, 403]],
  ['bare', 'writer', [200, 200], [404, 200]],
  ['noWiki', 'writer', [200, 200], [404, 404]],
  ['archived', 'writer', [200, 403], [200, 403]],
  ['none', undefined, [401, 401], [401, 401]],
  ['none', 'writer', [404, 404], [404, 404]],
]

test.each(table)('%s, for %s', async (repo, who, code, wiki) => {
  const services = ['git-upload-pack', 'git-receive-pack']
  const both = (path: string) => Promise.all(services.map((service) => ask(who, path, service)))
  expect([await both(`${repo}.git`), await both(`${repo}.wiki.git`), await both(`${repo}.wiki`)]).toEqual([code, wiki, wiki])
})

test('asking makes no wiki', () => {
  const id = forge.context.db.find<{ id: number }>("SELECT id FROM repository WHERE name = 'bare'")?.id as number
  expect(existsSync(forge.context.git.pathOf(-id))).toBe(false)
})

test('the wiki of a renamed repository is where the repository is', async () => {
  await boss.patch('/repos/acme/narrow', { name: 'wide' })
  const { status, headers } = await forge.app.handle(new Request('http://localhost/acme/narrow.wiki.git/info/refs?service=git-upload-pack'))
  expect([status, headers.get('location')]).toEqual([301, '/acme/wide.wiki.git/info/refs?service=git-upload-pack'])
})
