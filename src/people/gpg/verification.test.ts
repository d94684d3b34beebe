import { afterAll, afterEach, describe, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../../test/eventually.ts'
import { fillRepo, gitEnvironment, gitIn, type TestForge, testForge } from '../../../test/harness.ts'
import { rsaKeys } from '../../../test/rsa-keys.ts'
import { signatureThread } from './signatures.ts'

/** What stock git signs with stock gpg and ssh-keygen, as the API tells it. */

interface Verification {
  verified: boolean
  reason: string
  signature: string
  payload: string
  signer: { name: string; email: string; username: string } | null
}
interface Listed {
  sha: string
  commit: { message: string; verification: Verification | null }
}

const unknownKey = 'gpg.error.no_gpg_keys_found'
const bad = 'gpg.error.probable_bad_signature'
const unsigned = { verified: false, reason: 'gpg.error.not_signed_commit', signature: '', payload: '', signer: null }
const signer = { name: 'Ada L.', email: 'ada@example.org', username: 'ada' }

const [[keptPrivate, keptPublic]] = rsaKeys as [[string, string]]
const keys = mkdtempSync(join(tmpdir(), 'pf-'))
const check = spyOn(signatureThread, 'run')
afterEach(() => check.mockClear())
afterAll(() => {
  check.mockRestore()
  signatureThread.stop()
  if (Bun.which('gpgconf')) Bun.spawnSync(['gpgconf', '--homedir', keys, '--kill', 'all'])
  rmSync(keys, { recursive: true, force: true })
})

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
  return stdout.toString()
}

const gpgOptions = ['--homedir', keys, '--batch', '--no-permission-warning', '--pinentry-mode', 'loopback', '--passphrase', '']

/** Makes a key for the address and answers the id of what it signs with. */
function gpgKey(email: string, withSubkey = false): string {
  run('gpg', ...gpgOptions, '--quick-gen-key', `Someone <${email}>`, 'ed25519', withSubkey ? 'cert' : 'sign,cert', 'never')
  const fingerprint = () => /^fpr:+([0-9A-F]+):/m.exec(run('gpg', ...gpgOptions, '--with-colons', '--list-keys', email))?.[1] ?? ''
  if (!withSubkey) return fingerprint().slice(-16)
  run('gpg', ...gpgOptions, '--quick-add-key', fingerprint(), 'ed25519', 'sign', 'never')
  return /^sub:[^:]*:[^:]*:[^:]*:([0-9A-F]{16})/m.exec(run('gpg', ...gpgOptions, '--with-colons', '--list-keys', email))?.[1] ?? ''
}

const exported = (email: string) => run('gpg', ...gpgOptions, '--armor', '--export', email)

/** Git's settings to sign with gpg; a script stands for it, as git's environment here names no home. */
function byGpg(key: string): string[] {
  const program = join(keys, 'gpg.sh')
  writeFileSync(program, `#!/bin/sh\nexec gpg ${gpgOptions.map((option) => `'${option}'`).join(' ')} "$@"\n`, { mode: 0o700 })
  return ['-c', `gpg.program=${program}`, '-c', `user.signingKey=${key}!`]
}

async function forgeOfAda(): Promise<TestForge> {
  const forge = testForge()
  await forge.person('ada', { fullName: 'Ada L.' })
  await forge.person('eve')
  await forge.asUser('ada').post('/user/repos', { name: 'it' })
  return forge
}

/** Git, with this address as the committer's and tagger's. */
function gitAs(email: string, directory: string, ...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['git', ...args], { cwd: directory, env: { ...gitEnvironment, GIT_COMMITTER_EMAIL: email } })
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

/** Gives someone, or Ada, one more verified address. */
const addAddress = (forge: TestForge, email: string, userId = 1) =>
  forge.context.db.tx((tx) => tx.insert('email_address', { user_id: userId, email, lower_email: email, is_verified: 1 }))

/** A branch with the newest commit again, its message another one under the same signature. */
function forgeCommit(directory: string, branch: string, message: string | Buffer): void {
  const header = gitIn(directory, 'cat-file', 'commit', 'HEAD').replace(/\n\n[\s\S]*$/, '\n\n')
  writeFileSync(join(directory, branch), Buffer.concat([Buffer.from(header), Buffer.from(message)]))
  gitIn(directory, 'update-ref', `refs/heads/${branch}`, gitIn(directory, 'hash-object', '-t', 'commit', '-w', branch).trim())
}

const verificationsOf = async (forge: TestForge, as?: string, query = '') => {
  const { body } = await forge.asUser(as).get<Listed[]>(`/repos/ada/it/commits?${query}`)
  return Object.fromEntries(body.map(({ commit }) => [commit.message.trim(), commit.verification]))
}
const reasonsOf = async (forge: TestForge, as?: string) =>
  Object.fromEntries(Object.entries(await verificationsOf(forge, as)).map(([message, verification]) => [message, verification?.reason]))
const reasonOf = async (forge: TestForge, line: string) => {
  const { body } = await forge.get<{ verification: Verification } | { commit: { verification: Verification } }>(`/repos/ada/it/${line}`)
  return ('verification' in body ? body : body.commit).verification.reason
}

describe.skipIf(Bun.which('gpg') === null || Bun.which('git') === null)('with gpg,', () => {
  test('commits and tags of the key’s owner are verified, and nobody else’s, as long as the key is there', async () => {
    await using forge = await forgeOfAda()
    const [adas, eves] = [gpgKey('ada@example.org'), gpgKey('eve@example.org')]
    const sign = (directory: string, message: string, key: string, ...settings: string[]) =>
      gitIn(directory, ...byGpg(key), ...settings, 'commit', '-q', '-S', '--allow-empty', '-m', message)
    let raw = ''
    let tag = ''
    fillRepo(forge, 1, (directory) => {
      gitIn(directory, 'commit', '-q', '--allow-empty', '-m', 'unsigned')
      sign(directory, 'by ada', adas)
      raw = gitIn(directory, 'cat-file', 'commit', 'HEAD')
      sign(directory, 'as ada, by eve', eves)
      gitIn(directory, ...byGpg(adas), 'tag', '-s', '-m', 'words', 'v1')
      tag = gitIn(directory, 'rev-parse', 'v1').trim()
      writeFileSync(join(directory, 'latin'), Buffer.from('caf\xe9', 'latin1'))
      gitIn(directory, ...byGpg(adas), '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '-S', '--allow-empty', '-F', 'latin')
      sign(directory, 'last \ufffd', adas)
      forgeCommit(directory, 'forged', 'something else\n')
      forgeCommit(directory, 'forged-bytes', Buffer.from('last \xe9\n', 'latin1'))
    })
    const unknown = { unsigned: unsigned.reason, 'by ada': unknownKey, 'as ada, by eve': unknownKey, café: unknownKey, 'last \ufffd': unknownKey }
    expect(await reasonsOf(forge)).toEqual(unknown)
    expect(check).not.toHaveBeenCalled()

    const added = await forge.asUser('ada').post('/user/gpg_keys', { armored_public_key: exported('ada@example.org') })
    expect([added.status, added.body.key_id]).toEqual([201, adas])
    await forge.asUser('eve').post('/user/gpg_keys', { armored_public_key: exported('eve@example.org') })
    check.mockClear()
    const good = `ada / ${adas}`
    const known = { ...unknown, 'by ada': good, café: good, 'last \ufffd': good }
    // A page does not wait for longer than a second for signatures to be checked.
    await eventually(async () => Bun.deepEquals(await reasonsOf(forge), known))
    expect(await reasonsOf(forge, 'eve')).toEqual(known)
    // One message for the page, and none when it is asked for again.
    expect(check).toHaveBeenCalledTimes(1)

    const record = (await verificationsOf(forge))['by ada'] as Verification
    expect(record).toEqual({ verified: true, reason: good, signature: record.signature, payload: record.payload, signer })
    expect(record.payload).toBe(raw.replace(/^gpgsig [\s\S]*?\n(?! )/m, ''))
    expect(record.signature).toStartWith('-----BEGIN PGP SIGNATURE-----\n')
    expect((await verificationsOf(forge)).unsigned).toEqual(unsigned)
    expect(await verificationsOf(forge, 'ada', 'verification=false&stat=false')).toMatchObject({ 'by ada': null })
    expect(await verificationsOf(forge, 'ada', 'stat=false&files=0')).toMatchObject({ 'by ada': { verified: true } })
    for (const line of ['git/commits/main', 'branches/main', `git/tags/${tag}`]) expect([line, await reasonOf(forge, line)]).toEqual([line, good])
    for (const branch of ['forged', 'forged-bytes']) expect([branch, await reasonOf(forge, `branches/${branch}`)]).toEqual([branch, bad])

    await forge.asUser('ada').delete(`/user/gpg_keys/${added.body.id}`)
    expect(await reasonsOf(forge)).toEqual(unknown)
    expect(await reasonOf(forge, `git/tags/${tag}`)).toBe(unknownKey)
  })

  test('a key counts for the addresses it names, and for all of the account’s once the account signed with it', async () => {
    await using forge = await forgeOfAda()
    const subkey = gpgKey('ada@elsewhere.example', true)
    const addresses = ['ada@example.org', 'Ada@Elsewhere.example', 'ada@noreply.localhost', 'stranger@example.org']
    fillRepo(forge, 1, (directory) => {
      for (const email of addresses) gitAs(email, directory, ...byGpg(subkey), 'commit', '-q', '-S', '--allow-empty', '-m', email)
    })
    const add = () =>
      forge.asUser('ada').post<{ key_id: string; subkeys: { key_id: string }[] }>('/user/gpg_keys', { armored_public_key: exported('ada@elsewhere.example') })
    expect((await add()).status).toBe(404)
    const address = addAddress(forge, 'ada@elsewhere.example')
    const { status, body } = await add()
    expect([status, body.subkeys[0]?.key_id]).toEqual([201, subkey])
    const good = `ada / ${subkey}`
    const reasons = async () => Object.values(await reasonsOf(forge)).reverse()
    expect(await reasons()).toEqual([unknownKey, good, unknownKey, unknownKey])

    writeFileSync(join(keys, 'token'), (await forge.asUser('ada').get<string>('/user/gpg_key_token')).body)
    const signature = run('gpg', ...gpgOptions, '--armor', '--local-user', subkey, '--output', '-', '--detach-sign', join(keys, 'token'))
    const verified = await forge.asUser('ada').post('/user/gpg_key_verify', { key_id: body.key_id, armored_signature: signature })
    expect([verified.status, verified.body.verified]).toEqual([201, true])
    expect(await reasons()).toEqual([good, good, good, unknownKey])

    forge.context.db.tx((tx) => tx.update('email_address', address, { is_verified: 0 }))
    expect(await reasons()).toEqual([good, unknownKey, good, unknownKey])
  })

  test('whose key it is stays untold to who may not see the account', async () => {
    await using forge = await forgeOfAda()
    const email = 'eve@third.example'
    addAddress(forge, email, 2)
    const key = gpgKey(email)
    fillRepo(forge, 1, (directory) => gitAs(email, directory, ...byGpg(key), 'commit', '-q', '-S', '--allow-empty', '-m', 'signed'))
    await forge.asUser('eve').post('/user/gpg_keys', { armored_public_key: exported(email) })
    forge.context.db.tx((tx) => tx.update('user', 2, { visibility: 'limited' }))
    expect(await verificationsOf(forge)).toEqual({ signed: expect.objectContaining({ verified: false, reason: unknownKey, signer: null }) })
    const known = { verified: true, signer: { name: 'eve', email, username: 'eve' } }
    expect(await verificationsOf(forge, 'ada')).toEqual({ signed: expect.objectContaining(known) })
  })
})

describe.skipIf(Bun.which('ssh-keygen') === null || Bun.which('git') === null)('with ssh-keygen,', () => {
  test.each(['ed25519', 'ecdsa', 'rsa'])('commits and tags signed by a key of type %s are verified, as long as the account has it', async (type) => {
    await using forge = await forgeOfAda()
    const file = join(keys, type)
    if (type === 'rsa') {
      writeFileSync(file, keptPrivate, { mode: 0o600 })
      writeFileSync(`${file}.pub`, `${keptPublic}\n`)
    } else run('ssh-keygen', '-q', '-t', type, '-N', '', '-C', 'ada', '-f', file)
    const settings = ['-c', 'gpg.format=ssh', '-c', `user.signingKey=${file}`]
    let tag = ''
    fillRepo(forge, 1, (directory) => {
      for (const email of ['ada@example.org', 'eve@example.org']) gitAs(email, directory, ...settings, 'commit', '-q', '-S', '--allow-empty', '-m', email)
      gitAs('ada@example.org', directory, ...settings, 'tag', '-s', '-m', 'words', 'v1')
      tag = gitIn(directory, 'rev-parse', 'v1').trim()
      gitIn(directory, 'reset', '-q', '--hard', 'HEAD~')
      forgeCommit(directory, 'forged', 'something else\n')
    })
    const body = { title: 'laptop', key: readFileSync(`${file}.pub`, 'utf8').trim() }
    const reasons = async () => Promise.all(['git/commits/main', `git/tags/${tag}`, 'git/commits/v1', 'branches/forged'].map((line) => reasonOf(forge, line)))
    expect(await reasons()).toEqual([unknownKey, unknownKey, unknownKey, unknownKey])
    const key = await forge.asUser('ada').post('/user/keys', body)
    const good = `ada / ${key.body.fingerprint}`
    expect(await reasons()).toEqual([good, good, unknownKey, unknownKey])
    expect((await verificationsOf(forge))['ada@example.org']?.signer).toEqual(signer)

    await forge.asUser('ada').delete(`/user/keys/${key.body.id}`)
    expect(await reasons()).toEqual([unknownKey, unknownKey, unknownKey, unknownKey])
    expect((await forge.asUser('eve').post('/user/keys', body)).status).toBe(201)
    expect(await reasons()).toEqual([unknownKey, unknownKey, `eve / ${key.body.fingerprint}`, unknownKey])
  })
})
