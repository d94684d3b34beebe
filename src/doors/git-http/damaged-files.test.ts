import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lineLog } from '#kernel/log.ts'
import { fillRepo, gitIn, type Person, type TestForge, testForge, tryGit } from '../../../test/harness.ts'

/** One bit of one file of a repository is not what it was. */

let forge: TestForge
let ada: Person
let directory: string
let server: Bun.Server<undefined>
const lines: string[] = []
let made = 0

beforeAll(async () => {
  forge = testForge({}, { log: lineLog('error', (line) => void lines.push(line)) })
  ada = await forge.person('ada')
  await forge.context.tasks.stop()
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => forge.app.handle(request) })
  const template = join(directory, 'template')
  mkdirSync(join(template, 'dir'), { recursive: true })
  gitIn(template, 'init', '-q')
  for (let change = 0; change < 12; change++) {
    writeFileSync(join(template, 'dir/a.txt'), `${Array.from({ length: 50 }, (_, line) => `line ${line} of ${line > change}`).join('\n')}\n`)
    writeFileSync(join(template, `${change}.txt`), Bun.SHA1.hash(`${change}`, 'hex').repeat(9))
    gitIn(template, 'add', '-A')
    gitIn(template, 'commit', '-qm', `change ${change}`)
  }
})
afterAll(async () => {
  server.stop(true)
  await forge[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

type At = (bytes: Buffer) => number

/** A repository with all that git derives, one bit of one of whose files is then turned. */
function damaged(file: RegExp, at: At): { name: string; path: string } {
  const name = `r${++made}`
  const { id } = forge.repo(ada, name)
  fillRepo(forge, id, (copy) => gitIn(copy, 'pull', '-q', join(directory, 'template'), 'main'))
  const path = forge.context.git.pathOf(id)
  gitIn(path, 'config', 'pack.writeReverseIndex', 'true')
  gitIn(path, 'repack', '-adbq')
  gitIn(path, 'multi-pack-index', 'write')
  gitIn(path, 'commit-graph', 'write', '--reachable')
  gitIn(path, 'pack-refs', '--all')
  const target = join(path, (readdirSync(path, { recursive: true }) as string[]).find((one) => file.test(one)) as string)
  const bytes = readFileSync(target)
  bytes[at(bytes)] = (bytes[at(bytes)] as number) ^ 4
  chmodSync(target, 0o600)
  writeFileSync(target, bytes)
  lines.length = 0
  return { name, path }
}

const middle: At = (bytes) => bytes.length >> 1
const end: At = (bytes) => bytes.length - 3
const start: At = () => 1

/** Where the tables of an index begin. Source: `Documentation/gitformat-pack.txt`. */
const objects = (bytes: Buffer) => bytes.readUInt32BE(8 + 255 * 4)
const tables: Record<string, At> = {
  magic: start,
  version: () => 7,
  'fan-out': () => 8 + 128 * 4 + 3,
  ids: () => 1032 + 25,
  checksums: (bytes) => 1032 + 20 * objects(bytes) + 6,
  offsets: (bytes) => 1032 + 24 * objects(bytes) + 7,
  'checksum of the pack': (bytes) => bytes.length - 30,
  'checksum of its own': end,
}

async function ask(path: string): Promise<number> {
  const headers = { accept: path.startsWith('/api/') ? 'application/json' : 'text/html' }
  const answer = await forge.app.handle(new Request(`http://localhost${path}`, { headers }))
  await answer.arrayBuffer()
  return answer.status
}

const readings = ['/api/v1/repos/ada/{}/contents/dir/a.txt', '/api/v1/repos/ada/{}/commits', '/ada/{}', '/ada/{}/commits/branch/main']
const clones = [['--mirror'], ['--mirror', '--filter=blob:none'], ['--bare', '--depth=1']]

async function clone(name: string, ...options: string[]) {
  const copy = join(directory, `copy-${++made}`)
  const { exitCode, stderr } = await tryGit(['clone', '-q', ...options, `http://127.0.0.1:${server.port}/ada/${name}.git`, copy])
  return { exitCode, stderr }
}

describe('an index of a pack', () => {
  test.each(Object.entries(tables))('whose %s are damaged is never taken for one without its objects', async (_, at) => {
    const { name, path } = damaged(/pack-[0-9a-f]+\.idx$/, at)
    const oid = gitIn(path, 'rev-parse', 'refs/heads/main').trim()
    const some = [`/api/v1/repos/ada/{}/git/commits/${oid}`, `/ada/{}/commit/${oid.slice(0, 10)}`]
    for (const reading of [...readings, ...some]) {
      lines.length = 0
      expect([reading, await ask(reading.replace('{}', name)), lines.length]).toEqual([reading, 500, 1])
      expect(lines[0]).toMatch(/Cannot read pack index pack-[0-9a-f]+\.idx: /)
    }
    for (const options of clones) {
      lines.length = 0
      expect(await clone(name, ...options)).toEqual({
        exitCode: 128,
        stderr: expect.stringContaining(`remote: Cannot find object ${oid}, and a pack cannot be read`),
      })
      expect(lines.filter((line) => line.includes(oid))).toHaveLength(1)
    }
  })
})

test('a damaged object in a pack is named to whoever needs it, and in the log', async () => {
  const { name, path } = damaged(/pack-[0-9a-f]+\.pack$/, () => 40)
  const oid = gitIn(path, 'rev-parse', 'refs/heads/main').trim()
  for (const reading of readings) expect([reading, await ask(reading.replace('{}', name))]).toEqual([reading, 500])
  expect(lines.filter((line) => line.includes(`Cannot read object ${oid}`))).toHaveLength(readings.length)
  lines.length = 0
  expect((await clone(name, '--bare', '--depth=1')).exitCode).toBe(128)
  expect(await clone(name, '--mirror')).toMatchObject({ exitCode: 128 })
})

const derived = {
  'reverse index': /\.rev$/,
  bitmap: /\.bitmap$/,
  'multi-pack-index': /multi-pack-index$/,
  'commit-graph': /commit-graph$/,
  HEAD: /^HEAD$/,
  'packed-refs': /^packed-refs$/,
}
const rows = Object.entries(derived).flatMap(([what, file]) => Object.entries({ start, middle }).map(([where, at]) => [where, what, file, at] as const))

test.each(rows)('the %s of a damaged %s keeps nobody from anything', async (_, __, file, at) => {
  const { name } = damaged(file, at)
  for (const reading of readings) expect([reading, await ask(reading.replace('{}', name))]).toEqual([reading, 200])
  expect(await clone(name, '--mirror', '--filter=blob:none')).toEqual({ exitCode: 0, stderr: '' })
  expect(lines).toEqual([])
})

test.each(Object.entries(derived))('a %s that the system does not let anybody read keeps nobody from anything', async (_, file) => {
  const { name, path } = damaged(file, middle)
  const target = join(path, (readdirSync(path, { recursive: true }) as string[]).find((one) => file.test(one)) as string)
  rmSync(target)
  mkdirSync(target)
  for (const reading of readings) expect([reading, await ask(reading.replace('{}', name))]).toEqual([reading, 200])
  for (const options of [...clones, ['--bare', '--filter=blob:limit=9']]) expect(await clone(name, ...options)).toEqual({ exitCode: 0, stderr: '' })
  expect(lines).toEqual([])
})
