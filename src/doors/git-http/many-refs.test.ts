import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodePkt } from '#git/protocol/pkt-line.ts'
import { fillRepo, git, gitIn, type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { PATIENCE } from '../../../test/seeds.ts'

/** More refs than the main thread lists by itself: what workers list is what stock git lists of the directory. */
const MANY = 3000
let forge: TestForge
let server: Bun.Server<undefined>
let ada: Person
let stock: string
const url = () => `http://ada:${ada.token}@localhost:${server.port}/ada/engine.git`

beforeAll(async () => {
  forge = testForge()
  ada = await forge.person('ada')
  const repo = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  fillRepo(forge, repo.id, (made) => {
    gitIn(made, 'checkout', '-q', '-b', 'main')
    gitIn(made, 'commit', '-q', '--allow-empty', '-m', 'First')
    gitIn(made, 'tag', '-a', 'annotated', '-m', 'One')
    const [commit, tag] = ['main', 'annotated'].map((name) => gitIn(made, 'rev-parse', name).trim())
    const lines = Array.from({ length: MANY }, (_, i) => `${i % 4 ? commit : tag} refs/${i % 2 ? 'heads' : 'tags'}/many/${i}\n`)
    writeFileSync(join(made, '.git/packed-refs'), lines.join(''))
  })
  stock = await git(['ls-remote', forge.context.git.pathOf(repo.id)])
  server = Bun.serve({ port: 0, fetch: forge.app.fetch })
}, PATIENCE)
afterAll(async () => {
  await server.stop(true)
  await forge[Symbol.asyncDispose]()
})

test.each([0, 1, 2])('protocol %d lists very many refs as stock git does', async (version) => {
  expect(await git(['-c', `protocol.version=${version}`, 'ls-remote', url()])).toBe(stock)
})

test('protocol 2 lists those of very many refs that are asked for', async () => {
  const asked = await git(['ls-remote', url(), 'refs/tags/many/40'])
  expect(asked.split('\n')).toEqual(stock.split('\n').filter((line) => line.endsWith('\trefs/tags/many/40')))
})

test('of few refs, those that very many prefixes ask for are found in a worker', async () => {
  const repo = forge.repo(ada, 'small', { defaultBranch: 'main' })
  fillRepo(forge, repo.id, (made) => gitIn(made, 'commit', '-q', '--allow-empty', '-m', 'First'))
  const streams = spyOn(forge.context.git.pool, 'stream')
  const list = async (prefixes: string[]) => {
    const answer = await fetch(`http://localhost:${server.port}/ada/small.git/git-upload-pack`, {
      method: 'POST',
      headers: { 'Git-Protocol': 'version=2', 'Content-Type': 'application/x-git-upload-pack-request' },
      body: [encodePkt('command=ls-refs\n'), '0001', ...prefixes.map((prefix) => encodePkt(`ref-prefix ${prefix}\n`)), '0000'].join(''),
    })
    return answer.text()
  }
  try {
    const few = await list(['refs/heads/'])
    expect([few.includes(' refs/heads/main'), streams.mock.calls.length]).toEqual([true, 0])
    const many = Array.from({ length: 5000 }, (_, i) => `refs/tags/x${i}`)
    expect(await list([...many, 'refs/heads/'])).toBe(few)
    expect(streams.mock.calls.map(([task]) => task)).toEqual(['upload'])
  } finally {
    streams.mockRestore()
  }
})

test('whoever pushes is told of very many refs, too', async () => {
  const answer = await fetch(`http://localhost:${server.port}/ada/engine.git/info/refs?service=git-receive-pack`, {
    headers: { Authorization: `token ${ada.token}` },
  })
  const told = (await answer.text()).split('\n').flatMap((line) => /^[0-9a-f]{4,8}([0-9a-f]{40}) (refs\/[^\0]*)/.exec(line)?.slice(1).join('\t') ?? [])
  expect(told).toEqual(stock.split('\n').filter((line) => !line.endsWith('\tHEAD') && !line.endsWith('^{}')))
})
