import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { digestOf, publicKeyOf, SshKeygen, signed } from '../sign-request.ts'
import { forgeForStories } from './forge.ts'

describe.skipIf(Bun.which('ssh-keygen') === null)('requests that an SSH key signs', () => {
  if (Bun.which('ssh-keygen') === null) return
  const ssh = new SshKeygen()
  const [key, authority] = [ssh.key('-t', 'ed25519'), ssh.key('-t', 'ed25519')]
  const forge = forgeForStories({ env: { POCKETFORGE_SERVER_SSH_TRUSTED_USER_CA_KEYS: publicKeyOf(authority) } })
  afterAll(() => ssh[Symbol.dispose]())
  beforeAll(async () => {
    await forge.api('POST /user/keys', forge.ada, { title: 'key', key: publicKeyOf(key) })
    await forge.api('POST /user/principals', forge.ada, { name: 'ada' })
  })

  const send = async (line: string, headers: Record<string, string> = {}, body?: string, change = (sent: string) => sent) => {
    const [method = '', path = ''] = line.split(' ')
    const all = body === undefined ? headers : { ...headers, Digest: digestOf(body) }
    const origin = new URL(forge.server.origin).origin
    return fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { ...signed(method, `/api/v1${path}`, all, { key }), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: change(body) }),
    })
  }

  test('read, write with a body and without one, and end', async () => {
    expect(await (await send('GET /user')).json()).toMatchObject({ login: 'ada' })
    expect((await send('POST /user/repos', {}, '{"name":"signed"}')).status).toBe(201)
    expect((await send('PUT /user/starred/ada/signed')).status).toBe(204)
    expect((await send('DELETE /repos/ada/signed')).status).toBe(204)
  })

  test('with another body than was signed do nothing', async () => {
    expect((await send('POST /user/repos', {}, '{"name":"one"}', (body) => body.replace('one', 'two'))).status).toBe(401)
    for (const name of ['one', 'two']) expect((await forge.api(`GET /repos/ada/${name}`, forge.ada)).status).toBe(404)
  })

  test('count for whoever a certificate names', async () => {
    const certificate = ssh.certificate(authority, key, '-n', 'ada', '-V', '+5m')
    expect(await (await send('GET /user?by=certificate', { 'x-ssh-certificate': certificate })).json()).toMatchObject({ login: 'ada' })
  })
})
