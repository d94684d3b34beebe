import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_WHOLE_BYTES } from '#code/commits/index.ts'
import { lineLog } from '#kernel/log.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

let forge: TestForge
const lines: string[] = []
/** Of the last file of each repository, which is damaged. */
let oid: string

beforeAll(async () => {
  forge = testForge({}, { log: lineLog('error', (line) => void lines.push(line)) })
  const ada = await forge.person('ada')
  await forge.context.tasks.stop()
  for (const how of ['gone', 'corrupt']) {
    const { id } = forge.repo(ada, how)
    fillRepo(forge, id, makeHistory)
    oid = damage(forge.context.git.pathOf(id), how)
  }
})
afterAll(() => forge[Symbol.asyncDispose]())

function makeHistory(directory: string): void {
  writeFileSync(join(directory, 'a.txt'), 'one\n')
  gitIn(directory, 'add', '-A')
  gitIn(directory, 'commit', '-qm', 'first')
  gitIn(directory, 'branch', 'old')
  // More than is held back before the first of an answer is sent, of letters that do not become less when they are packed.
  for (let i = 0; i < 8; i++) writeFileSync(join(directory, `b${i}.txt`), `${Buffer.from(crypto.getRandomValues(new Uint8Array(30_000))).toString('hex')}\n`)
  gitIn(directory, 'add', '-A')
  gitIn(directory, 'commit', '-qm', 'second')
  writeFileSync(join(directory, 'z.txt'), `${'last '.repeat(MAX_WHOLE_BYTES / 4)}\n`)
  gitIn(directory, 'add', '-A')
  gitIn(directory, 'commit', '-qm', 'third')
}

function damage(path: string, how: string): string {
  const lost = gitIn(path, 'rev-parse', 'main:z.txt').trim()
  const file = join(path, 'objects', lost.slice(0, 2), lost.slice(2))
  const bytes = readFileSync(file)
  chmodSync(file, 0o600)
  const middle = bytes.length >> 1
  if (how === 'gone') rmSync(file)
  else writeFileSync(file, bytes.with(middle, (bytes[middle] as number) ^ 0x10))
  return lost
}

/** Undefined for the body of an answer that breaks off. */
async function ask(path: string): Promise<{ status: number; body: string | undefined; log: string }> {
  lines.length = 0
  const response = await forge.app.handle(new Request(`http://localhost${path}`))
  const body = await response.text().catch(() => undefined)
  return { status: response.status, body, log: lines.join('') }
}

test.each(['/ada/{}/compare/old...main.diff', '/ada/{}/compare/old...main.patch'])(
  '%s, whose last object the store has lost, breaks off, and the log says once why',
  async (path) => {
    for (const how of ['gone', 'corrupt']) {
      const { body, log } = await ask(path.replace('{}', how))
      expect([how, body]).toEqual([how, undefined])
      expect(log.split('\n')).toEqual([expect.stringContaining(oid), ''])
      expect(log).toMatch(/ id="[0-9a-f]{12}" method="GET" path="/)
      expect(log).toContain(`path="${path.replace('{}', how)}"`)
    }
  },
)

test.each([
  '/api/v1/repos/ada/{}/git/commits/main.diff',
  '/api/v1/repos/ada/{}/git/commits/main.patch',
  '/api/v1/repos/ada/{}/raw/z.txt',
  '/api/v1/repos/ada/{}/media/z.txt',
  '/api/v1/repos/ada/gone/bundle/main',
  '/ada/{}/raw/branch/main/z.txt',
  '/ada/{}/archive/main.zip',
])('%s, of which nothing can be sent without the object that is lost, is a 500', async (path) => {
  for (const how of ['gone', 'corrupt']) {
    const { status, body, log } = await ask(path.replace('{}', how))
    expect([how, status]).toEqual([how, 500])
    expect(log).toContain(oid)
    expect(body).toContain(/ id="([0-9a-f]{12})"/.exec(log)?.[1] ?? 'no number in the log')
  }
})

test('who goes away before the first of an answer is there is nothing for the log', async () => {
  lines.length = 0
  const gone = new AbortController()
  const asked = forge.app.handle(new Request('http://localhost/ada/gone/compare/old...main.diff', { signal: gone.signal }))
  gone.abort()
  await (await asked).body?.cancel()
  expect(lines).toEqual([])
})
