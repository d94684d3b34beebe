import { afterAll, expect, test } from 'bun:test'
import { anonymous, type RepoAccess } from '#access/index.ts'
import { Visit } from '#web/index.ts'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, testForge } from '../../../test/harness.ts'
import { submoduleLink } from './submodule-link.ts'

const forge = testForge()
afterAll(() => forge[Symbol.asyncDispose]())

const repo = { owner: { name: 'ada' }, row: { name: 'engine' } } as RepoAccess
const linkAt = (root: string, url: string) => submoduleLink(new Visit(forge.context, anonymous, new Request(`${root}/ada/engine`)), repo, url)

test.each([
  ['../lib.git', '/ada/lib'],
  ['../lib', '/ada/lib'],
  ['.././lib.git/', '/ada/lib'],
  ['../../bob/lib%20x.git', '/bob/lib%2520x'],
  ['git@forge.example:bob/lib.git', '/bob/lib'],
  ['forge.example:/bob/lib.git', '/bob/lib'],
  ['ssh://git@forge.example:2222/bob/lib.git', '/bob/lib'],
  ['git://forge.example/bob/lib', '/bob/lib'],
  ['https://forge.example:3000/bob/lib.git', '/bob/lib'],
  ['git@github.com:bob/lib.git', 'https://github.com/bob/lib'],
  ['github.com:bob/lib', 'https://github.com/bob/lib'],
  ['[::1]:bob/lib', 'https://[::1]/bob/lib'],
  ['ssh://git@gitlab.example:22/group/sub/lib.git', 'https://gitlab.example/group/sub/lib'],
  ['git+ssh://git@gitlab.example/bob/lib.git', 'https://gitlab.example/bob/lib'],
  ['https://example.org/lib.git', 'https://example.org/lib.git'],
  ['https://bob:secret@example.org/lib.git', 'https://example.org/lib.git'],
  ['https://forge.example/bob/lib.git', 'https://forge.example/bob/lib.git'],
])('the submodule address %s links to %s', (url, link) => {
  expect(linkAt('http://forge.example:3000', url)).toBe(link)
})

test.each([
  '../../../lib.git',
  '..',
  '../../bob',
  './lib',
  'lib.git',
  '/srv/git/lib.git',
  'file:///srv/git/lib.git',
  'C:\\git\\lib',
  'C:/git/lib',
  'javascript:alert(1)',
  'javascript://example.org/%0aalert(1)',
  'data:text/html,x',
  'ssh://forge.example/lib.git',
  'ssh://git@/bob/lib',
  'https://',
  'git@:bob/lib',
  'ssh://forge.example/bob/%zz',
  'https://forge.example:3000/%zz/lib',
  '',
])('the submodule address %s is not a link', (url) => {
  expect(linkAt('http://forge.example:3000', url)).toBeUndefined()
})

test('directories and the page of a submodule link to its repository', async () => {
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  fillRepo(forge, id, (directory) => {
    for (const [path, url] of [
      ['near', '../near.git'],
      ['far', 'git@github.com:bob/far.git'],
      ['local', '/srv/git/local.git'],
    ] as const) {
      gitIn(directory, 'config', '-f', '.gitmodules', `submodule.${path}.path`, path)
      gitIn(directory, 'config', '-f', '.gitmodules', `submodule.${path}.url`, url)
      gitIn(directory, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`)
    }
    gitIn(directory, 'add', '.gitmodules')
    gitIn(directory, 'commit', '-q', '-m', 'Add submodules')
  })
  const browser = new TestBrowser(forge)
  const { text } = await browser.get('/ada/engine')
  expect(text).toContain('<a href="/ada/near">near</a>')
  expect(text).toContain('<a href="https://github.com/bob/far">far</a>')
  expect(text).not.toContain('>local</a>')
  const pageOf = async (path: string) => (await browser.get(`/ada/engine/src/branch/main/${path}`)).text
  expect(await pageOf('near')).toContain('<a href="/ada/near">../near.git</a>')
  expect(await pageOf('far')).toContain('<a href="https://github.com/bob/far">git@github.com:bob/far.git</a>')
  expect(await pageOf('local')).toContain('<code>/srv/git/local.git</code>')
})
