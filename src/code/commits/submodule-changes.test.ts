import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { fillRepo, gitIn, type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { PATIENCE } from '../../../test/seeds.ts'

/** Commits of another repository, which this one does not have. */
const [first, second] = ['1'.repeat(40), '2'.repeat(40)]

let forge: TestForge
let ada: Person
let browser: TestBrowser
let errors: string[]
const commits: Record<string, string> = {}

beforeAll(async () => {
  errors = []
  forge = testForge({}, { log: { debug() {}, info() {}, warn() {}, error: (...words: unknown[]) => void errors.push(words.join(' ')) } })
  ada = await forge.person('ada')
  browser = new TestBrowser(forge, ada)
  const repo = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  fillRepo(forge, repo.id, (directory) => {
    const commit = (name: string, ...links: [path: string, oid: string | undefined][]) => {
      for (const [path, oid] of links) {
        gitIn(directory, 'update-index', ...(oid === undefined ? ['--force-remove', path] : ['--add', '--cacheinfo', `160000,${oid},${path}`]))
      }
      gitIn(directory, 'commit', '-q', '--allow-empty', '-m', name)
      gitIn(directory, 'branch', '-f', name)
      commits[name] = gitIn(directory, 'rev-parse', 'HEAD').trim()
    }
    gitIn(directory, 'checkout', '-q', '--orphan', 'work')
    commit('main')
    commit('added', ['lib.js', first])
    // A submodule may name a commit that the repository itself has.
    commit('moved', ['lib.js', commits.main])
    commit('renamed', ['lib.js', undefined], ['vendor.js', second])
    commit('removed', ['vendor.js', undefined])
  })
}, PATIENCE)
afterAll(() => forge[Symbol.asyncDispose]())

test.each([
  ['added', [`+Subproject commit ${first}`]],
  ['moved', [`-Subproject commit <mark>${first}`, '+Subproject commit <mark>']],
  ['renamed', ['-Subproject commit', `+Subproject commit ${second}`]],
  ['removed', [`-Subproject commit ${second}`]],
])('the commit page shows a submodule that is %s', async (name, lines) => {
  const { status, text } = await browser.get(`/ada/engine/commit/${commits[name]}`)
  expect(status).toBe(200)
  for (const line of lines) expect(text).toContain(line)
})

test('the compare page and the files of a pull request show submodule changes', async () => {
  for (const [i, [base, head]] of [
    ['main', 'added'],
    ['added', 'moved'],
    ['moved', 'renamed'],
    ['renamed', 'removed'],
  ].entries()) {
    await forge.asUser(ada).post('/repos/ada/engine/pulls', { title: 'Submodule', base, head })
    for (const path of [`compare/${base}...${head}`, `compare/${base}..${head}`, `pulls/${i + 1}/files`, `pulls/${i + 1}`, `pulls/${i + 1}/commits`]) {
      const { status, text } = await browser.get(`/ada/engine/${path}`)
      expect([path, status]).toEqual([path, 200])
      if (!/\d$|commits$/.test(path)) expect(text).toContain('Subproject commit')
    }
  }
  expect(errors).toEqual([])
})
