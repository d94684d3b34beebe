import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appendCommits, generateHistory } from '../../../test/generate-history.ts'
import { git } from '../../../test/git.ts'
import type { Oid } from '../objects/oid.ts'
import { fetchPack } from './fetch-pack.ts'
import { listRemoteRefs } from './remote-refs.ts'
import type { GitTransport } from './transport.ts'

const LIMITS = { maxRefs: 1000, maxBytes: 1_000_000 }

let directory: string
let origin: string
let host: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
let url: string

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pf-'))
  origin = join(directory, 'origin.git')
  await generateHistory(origin, { commits: 40 })
  await git(['tag', '-a', '-m', 'One', 'v1', 'HEAD'], { cwd: origin })
  const script = join(import.meta.dir, '../../../test/bench/cgi-host.ts')
  host = Bun.spawn([process.execPath, script, directory], { stdout: 'pipe', stderr: 'inherit', stdin: 'ignore' })
  const { value } = await host.stdout.getReader().read()
  url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}/origin.git`
})
afterAll(() => {
  host.kill()
  rmSync(directory, { recursive: true, force: true })
})

/** @param hides headers that the client does not send */
function transportTo(base: string, hides: readonly string[] = []): GitTransport {
  const ask = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const headers = Object.fromEntries(Object.entries(init.headers).filter(([name]) => !hides.includes(name)))
    const response = await fetch(base + path, { ...init, headers })
    return { status: response.status, headers: response.headers, body: response.body ?? new Blob([]).stream() }
  }
  return {
    get: (path, headers) => ask(path, { headers: { ...headers } }),
    post: (path, headers, body) => ask(path, { method: 'POST', headers: { ...headers }, body: body as Uint8Array<ArrayBuffer> }),
  }
}

async function objectsOf(repository: string): Promise<string[]> {
  const { stdout } = Bun.spawnSync(['git', 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: repository })
  return stdout.toString().trim().split('\n').sort()
}

/** Stores the pack as git does that fetches. */
async function store(repository: string, pack: AsyncIterable<Uint8Array>): Promise<void> {
  const child = Bun.spawn(['git', 'index-pack', '--stdin', '--fix-thin'], { cwd: repository, stdin: 'pipe', stdout: 'ignore', stderr: 'inherit' })
  for await (const bytes of pack) {
    child.stdin.write(bytes)
    await child.stdin.flush()
  }
  await child.stdin.end()
  expect(await child.exited).toBe(0)
}

describe.each([
  [2, []],
  [0, ['Git-Protocol']],
] as const)('with protocol version %p', (version, hides) => {
  test('lists branches and tags of a stock git server, with what tags point to and HEAD', async () => {
    const remote = await listRemoteRefs(transportTo(url, hides), LIMITS)
    const expected = (await git(['for-each-ref', '--format=%(refname) %(objectname) %(*objectname)', 'refs/heads', 'refs/tags'], { cwd: origin })).trim()
    const found = remote.refs.map(({ name, oid, peeled = '' }) => `${name} ${oid} ${peeled}`.trimEnd())
    expect(found.sort()).toEqual(
      expected
        .split('\n')
        .map((line) => line.trimEnd())
        .sort(),
    )
    expect([remote.version, remote.head]).toEqual([version, (await git(['symbolic-ref', 'HEAD'], { cwd: origin })).trim()])
  })

  test('fetches everything, and later only what is new', async () => {
    const copy = join(directory, `copy-${version}.git`)
    await git(['init', '--quiet', '--bare', copy])
    const transport = transportTo(url, hides)
    const first = await listRemoteRefs(transport, LIMITS)
    await store(copy, await fetchPack(transport, first, { wants: first.refs.map(({ oid }) => oid), haves: [] }))
    expect(await objectsOf(copy)).toEqual(await objectsOf(origin))

    const haves = first.refs.map(({ oid, peeled }) => peeled ?? oid)
    const branch = (await git(['symbolic-ref', '--short', 'HEAD'], { cwd: origin })).trim()
    const tip = (await appendCommits(origin, branch, 3, version + 5)).trim() as Oid
    const progress: string[] = []
    const second = await listRemoteRefs(transport, LIMITS)
    let bytes = 0
    async function* counted(pack: AsyncIterable<Uint8Array>) {
      for await (const chunk of pack) {
        bytes += chunk.length
        yield chunk
      }
    }
    await store(copy, counted(await fetchPack(transport, second, { wants: [tip], haves, onProgress: (text) => progress.push(text) })))
    expect(await objectsOf(copy)).toEqual(await objectsOf(origin))
    expect([bytes < 100_000, progress.length > 0]).toEqual([true, true])
  })
})

test('a repository that does not exist and an address that is no git server are named as such', async () => {
  await expect(listRemoteRefs(transportTo(url.replace('origin', 'none')), LIMITS)).rejects.toThrow('does not exist')
  using page = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('<p>Hello</p>', { headers: { 'Content-Type': 'text/html' } }) })
  await expect(listRemoteRefs(transportTo(page.url.href), LIMITS)).rejects.toThrow('does not speak git')
})

test('a server with more refs than allowed is rejected', async () => {
  await expect(listRemoteRefs(transportTo(url), { ...LIMITS, maxRefs: 1 })).rejects.toThrow('more than 1 branches and tags')
  await expect(listRemoteRefs(transportTo(url), { ...LIMITS, maxBytes: 10 })).rejects.toThrow('more than 10 bytes')
})
