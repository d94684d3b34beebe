import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signatureThread } from '#people/gpg/signatures.ts'
import { RefHooks } from '#repositories/refs/hooks.ts'
import { fillRepo, gitIn, type TestForge, testForge } from '../../../test/harness.ts'

const at = '/repos/ada/it'
const directory = mkdtempSync(join(tmpdir(), 'pf-'))
const isAbsent = Bun.which('ssh-keygen') === null
let forge: TestForge
/** Signed by a key of ada's. */
let tip: string

beforeAll(async () => {
  if (isAbsent) return
  forge = testForge()
  for (const name of ['ada', 'bob']) await forge.person(name)
  const key = join(directory, 'key')
  Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])
  const { body } = await forge.asUser('ada').post<{ id: number }>('/user/repos', { name: 'it', default_branch: 'main' })
  fillRepo(forge, body.id, (path) => {
    const here = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'gpg.format=ssh', '-c', `user.signingKey=${key}`]
    gitIn(path, ...here, 'commit', '-q', '--allow-empty', '-m', 'first')
    gitIn(path, 'branch', '-M', 'main')
    gitIn(path, 'checkout', '-q', '-b', 'side')
    for (let i = 0; i < 3; i++) gitIn(path, ...here, 'commit', '-q', '--allow-empty', '-S', '-m', `signed ${i}`)
    tip = gitIn(path, 'rev-parse', 'HEAD').trim()
  })
  await forge.asUser('ada').put(`${at}/collaborators/bob`, { permission: 'write' })
  await forge.asUser('ada').post(`${at}/branch_protections`, { rule_name: 'to/**', enable_push: true, require_signed_commits: true })
  await forge.asUser('ada').patch('/user/settings', { hide_email: true })
})
afterAll(async () => {
  signatureThread.stop()
  await forge?.[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

let made = 0
/** A branch at the first commit, moved to the last one by bob. */
async function move(): Promise<string> {
  const name = `to/${++made}`
  await forge.asUser('bob').post(`${at}/branches`, { new_branch_name: name, old_ref_name: 'main' })
  const { status, body } = await forge.asUser('bob').put<{ message?: string }>(`${at}/branches/${name}`, { new_commit_id: tip })
  return status === 204 ? 'moved' : `${status} ${body.message}`
}

const addKey = async () => {
  const key = readFileSync(join(directory, 'key.pub'), 'utf8')
  return (await forge.asUser('ada').post<{ id: number }>('/user/keys', { title: `key ${++made}`, key })).body.id
}

async function removeKeys(): Promise<void> {
  const { body } = await forge.asUser('ada').get<{ id: number }[]>('/user/keys')
  for (const { id } of body) await forge.asUser('ada').delete(`/user/keys/${id}`)
}

test.skipIf(isAbsent)('commits count as signed by the keys that there are when they land', async () => {
  await removeKeys()
  expect(await move()).toMatch(/^403 branch to\/\d+ is protected from unverified commit [0-9a-f]{40}$/)
  const id = await addKey()
  expect(await move()).toBe('moved')
  const { finders } = forge.context.services.get(RefHooks)
  finders.push({
    guard: {},
    find: async () => {
      await forge.asUser('ada').delete(`/user/keys/${id}`)
    },
  })
  expect(await move()).toMatch(/^403 branch .* is protected from unverified commit/)
  finders.pop()
  await addKey()
  expect(await move()).toBe('moved')
})

test.skipIf(isAbsent)('signed commits are merged by moving the branch to them, and not with a commit that nobody signed', async () => {
  await removeKeys()
  await addKey()
  const name = `to/${++made}`
  await forge.asUser('bob').post(`${at}/branches`, { new_branch_name: name, old_ref_name: 'main' })
  const { body } = await forge.asUser('bob').post<{ number: number }>(`${at}/pulls`, { title: 'Signed', head: 'side', base: name })
  const merge = (style: string) => forge.asUser('bob').post(`${at}/pulls/${body.number}/merge`, { do: style })
  expect((await merge('squash')).status).toBe(405)
  expect((await merge('fast-forward-only')).status).toBe(200)
})
