import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adaKey } from '#people/gpg/vectors.fixture.ts'
import { git } from '../git.ts'
import { forgeForStories, newWorkingCopy, story } from './forge.ts'

/** The thread that reads keys and checks signatures is a program of its own inside the executable. */
story('the executable knows who signed', () => {
  const forge = forgeForStories()

  test('a GPG key is read and listed', async () => {
    const added = await forge.api('POST /user/gpg_keys', forge.ada, { armored_public_key: adaKey })
    expect([added.status, await added.json()]).toMatchObject([201, { key_id: 'AB40A7D184DE5E18', emails: [{ email: 'ada@example.org' }] }])
    expect(await (await forge.api('GET /users/ada/gpg_keys')).json()).toMatchObject([{ key_id: 'AB40A7D184DE5E18' }])
  })

  test.skipIf(Bun.which('ssh-keygen') === null)('a pushed commit that an SSH key signed is verified', async () => {
    const key = join(forge.directory, 'key')
    Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', key])
    const copy = await newWorkingCopy(join(forge.directory, 'signed'))
    await git(['-c', 'gpg.format=ssh', '-c', `user.signingKey=${key}`, 'commit', '--quiet', '--allow-empty', '-S', '-m', 'signed'], { cwd: copy })
    await git(['push', '--quiet', forge.url('ada/signed', forge.ada), 'main'], { cwd: copy })
    const { fingerprint } = (await (await forge.api('POST /user/keys', forge.ada, { title: 'laptop', key: readFileSync(`${key}.pub`, 'utf8') })).json()) as {
      fingerprint: string
    }
    const branch = await (await forge.api('GET /repos/ada/signed/branches/main', forge.ada)).json()
    expect(branch).toMatchObject({ commit: { verification: { verified: true, reason: `ada / ${fingerprint}`, signer: { username: 'ada' } } } })
  })
})
