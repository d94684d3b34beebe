import { afterAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitError } from '#git/errors.ts'
import { Problem } from '#kernel/errors.ts'
import { JobThread } from '#kernel/job-thread.ts'
import { lineLog } from '#kernel/log.ts'
import { TestBrowser } from '../../test/browser.ts'
import { fillRepo, gitIn, testForge } from '../../test/harness.ts'
import { decorate } from './decorate.ts'
import { KeptPages } from './kept-pages.ts'

const lines: string[] = []
const forge = testForge({}, { log: lineLog('error', (line) => void lines.push(line)) })
beforeEach(() => void lines.splice(0))
afterAll(() => forge[Symbol.asyncDispose]())

const tryWith = (work: () => string | Promise<string>) => decorate(forge.context, 'counts', work, 'plain')

test('shows what the work returns', async () => {
  expect(await tryWith(() => 'now')).toBe('now')
  expect(await tryWith(async () => 'later')).toBe('later')
  expect(lines).toEqual([])
})

test.each([
  ['a damaged object', new GitError('corrupt', 'Cannot read object 1234')],
  ['a bug', new TypeError('undefined is not a function')],
])('shows the fallback after %s, logs the error with the part, and keeps the page only for a moment', async (_, error) => {
  const { omitted } = forge.context.services.get(KeptPages)
  expect(await tryWith(() => Promise.reject(error))).toBe('plain')
  expect(
    await tryWith(() => {
      throw error
    }),
  ).toBe('plain')
  expect(lines).toEqual(Array(2).fill(expect.stringContaining(error.message)))
  expect(lines[0]).toContain('part="counts"')
  expect(forge.context.services.get(KeptPages).omitted).toBe(omitted + 2)
})

test.each([new Problem(503, 'Too many requests wait'), new GitError('limit', 'Too large')])(
  'shows the fallback without a log line after "%s"',
  async (error) => {
    expect(await tryWith(() => Promise.reject(error))).toBe('plain')
    expect(lines).toEqual([])
  },
)

test('pages show files, documents and diffs plain when the thread that highlights and renders them fails', async () => {
  const ada = await forge.person('ada')
  const { id } = forge.repo(ada, 'engine', { defaultBranch: 'main' })
  let commit = ''
  fillRepo(forge, id, (directory) => {
    writeFileSync(join(directory, 'README.md'), '# Engine of Ada')
    writeFileSync(join(directory, 'engine.js'), 'const engine = 1')
    gitIn(directory, 'add', '.')
    gitIn(directory, 'commit', '-q', '-m', 'Add the engine')
    commit = gitIn(directory, 'rev-parse', 'HEAD').trim()
  })
  using _ = spyOn(JobThread.prototype, 'run').mockRejectedValue(new Error('The worker crashed'))
  for (const [path, shown] of [
    ['/ada/engine', 'Engine of Ada'],
    ['/ada/engine/src/branch/main/engine.js', 'const engine = 1'],
    [`/ada/engine/commit/${commit}`, '+const engine = 1'],
  ] as const) {
    const response = await new TestBrowser(forge, ada).get(path)
    expect([path, response.status]).toEqual([path, 200])
    expect(response.text).toContain(shown)
  }
  expect(lines.join('')).toContain('The worker crashed')
})
