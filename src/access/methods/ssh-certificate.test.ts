import { afterAll, describe, expect, test } from 'bun:test'
import { TestBrowser } from '../../../test/browser.ts'
import { testForge } from '../../../test/harness.ts'
import { publicKeyOf, SshKeygen, signed } from '../../../test/sign-request.ts'

/** Requests that are signed with keys that a certificate of ssh-keygen's vouches for. */

const PASSWORD = 'correct horse'

describe.skipIf(Bun.which('ssh-keygen') === null)('with certificates of ssh-keygen,', async () => {
  if (Bun.which('ssh-keygen') === null) return
  const ssh = new SshKeygen()
  const [authority, rsaAuthority, stranger] = [ssh.key('-t', 'ed25519'), ssh.rsaKey(), ssh.key('-t', 'ed25519')]
  const trusted = [publicKeyOf(authority), publicKeyOf(rsaAuthority)]
  const forge = testForge({ server: { SSH_TRUSTED_USER_CA_KEYS: trusted } })
  afterAll(async () => {
    await forge[Symbol.asyncDispose]()
    ssh[Symbol.dispose]()
  })
  const ada = await forge.person('ada', { password: PASSWORD })
  const bob = await forge.person('bob')
  const addName = (name: string, as = ada, to = forge) => to.asUser(as.token).post<{ id: number; message?: string }>('/user/principals', { name })
  await addName('ada')
  const key = ssh.key('-t', 'ed25519')

  let asked = 0
  const send = async (certificate: string, by = key, to = forge, path = '/api/v1/user') => {
    const target = `${path}?n=${++asked}`
    const headers = signed('GET', target, { 'x-ssh-certificate': certificate }, { key: by, keyId: 'gitea' })
    const response = await to.app.handle(new Request(`http://localhost${target}`, { headers }))
    const body = (await response.json()) as { login?: string; message?: string }
    return [response.status, body.login ?? body.message]
  }
  const refused = (reason: string) => [401, expect.stringContaining(reason)]

  test('whoever has the key of one that names them signs in', async () => {
    expect(await send(ssh.certificate(authority, key, '-n', 'ada', '-V', '+1h'))).toEqual([200, 'ada'])
    expect(await send(ssh.certificate(authority, key, '-n', 'nobody,ada'))).toEqual([200, 'ada'])
    expect(await send(ssh.certificate(rsaAuthority, key, '-n', 'ada', '-t', 'rsa-sha2-256'))).toEqual([200, 'ada'])
    for (const other of [ssh.key('-t', 'ecdsa', '-m', 'PEM'), ssh.rsaKey()]) {
      expect(await send(ssh.certificate(authority, other, '-n', 'ada'), other)).toEqual([200, 'ada'])
    }
  })

  test.each<[string, string[], string]>([
    ['that is over', ['-n', 'ada', '-V', '-2h:-1h'], 'expired or is not valid yet'],
    ['that is not valid yet', ['-n', 'ada', '-V', '+1h:+2h'], 'expired or is not valid yet'],
    ['for machines', ['-h', '-n', 'ada'], 'not a user certificate'],
    ['for everybody', [], 'no account matches a principal'],
    ['for somebody who is not here', ['-n', 'bob'], 'no account matches a principal'],
    ['for one command', ['-n', 'ada', '-O', 'force-command=/bin/true'], 'force-command'],
    ['for keys that ask who touches them', ['-n', 'ada', '-O', 'verify-required'], 'verify-required'],
    ['with a critical option that is not known', ['-n', 'ada', '-O', 'critical:x@example.org=y'], 'x@example.org'],
    ['for other addresses', ['-n', 'ada', '-O', 'source-address=192.0.2.0/24,2001:db8::/32'], 'for this client address'],
  ])('one %s lets nobody in', async (_, options, reason) => {
    expect(await send(ssh.certificate(authority, key, ...options))).toEqual(refused(reason))
  })

  test('one for some addresses lets in from these', async () => {
    expect(await send(ssh.certificate(authority, key, '-n', 'ada', '-O', 'source-address=127.0.0.0/8,::1'))).toEqual([200, 'ada'])
  })

  test.each<[string, () => string[]]>([
    ['another authority', () => [stranger]],
    ['an authority with SHA-1', () => [rsaAuthority, '-t', 'ssh-rsa']],
  ])('one by %s is not believed', async (_, by) => {
    const [authority = '', ...options] = by()
    expect(await send(ssh.certificate(authority, key, '-n', 'ada', ...options))).toEqual(refused('trusted certificate authority'))
  })

  test('one is of no use without its key, changed, cut short, or as something else', async () => {
    const certificate = ssh.certificate(authority, key, '-n', 'ada')
    expect(await send(certificate, stranger)).toEqual(refused('does not match the request'))
    const bytes = Buffer.from(certificate, 'base64')
    for (const at of [0, 60, 120, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      expect((await send(changed.toString('base64')))[0]).toBe(401)
      expect((await send(bytes.subarray(0, at).toString('base64') || 'A'))[0]).toBe(401)
    }
    for (const odd of ['AAAA', '%%%%', publicKeyOf(key).split(' ')[1] as string]) expect((await send(odd))[0]).toBe(401)
  })

  test('one must be signed along, or another could stand in its place', async () => {
    const target = `/api/v1/user?n=${++asked}`
    const headers = {
      'x-ssh-certificate': ssh.certificate(authority, key, '-n', 'ada'),
      ...signed('GET', target, {}, { key, covered: ['(request-target)', '(created)'] }),
    }
    expect((await forge.app.handle(new Request(`http://localhost${target}`, { headers }))).status).toBe(401)
  })

  test('where nobody is trusted none is taken', async () => {
    await using closed = testForge()
    const person = await closed.person('ada')
    await addName('ada', person, closed)
    expect(await send(ssh.certificate(authority, key, '-n', 'ada'), key, closed)).toEqual(refused('not accepted'))
    expect((await send(ssh.certificate(authority, key, '-n', 'ada'), key, closed, '/api/v1/version'))[0]).toBe(401)
  })

  test('people go by their own names and addresses alone, each by another', async () => {
    expect((await addName('ada@example.org')).status).toBe(201)
    for (const [name, message] of [
      ['ada', 'Principal has been used'],
      ['bob', 'you may not go by it'],
      ['bob@example.org', 'you may not go by it'],
      ['', '[name]'],
      [' ', '[Name]'],
      ['a da', '[Name]'],
      ['аda', '[Name]'],
      ['x'.repeat(256), '[name]'],
    ] as const) {
      const reply = await addName(name)
      expect([name, reply.status, reply.body.message]).toEqual([name, 422, expect.stringContaining(message)])
    }
  })

  test('they are listed, shown and deleted, by their holder alone, and then stand for nobody', async () => {
    const eve = await forge.person('eve')
    const { id } = (await addName('eve', eve)).body
    const certificate = ssh.certificate(authority, key, '-n', 'eve')
    expect(await send(certificate)).toEqual([200, 'eve'])
    const list = await forge.asUser(eve).get<{ name: string }[]>('/user/principals')
    expect([list.body.map(({ name }) => name), list.headers.get('x-total-count')]).toEqual([['eve'], '1'])
    for (const line of [`GET /user/principals/${id}`, `DELETE /user/principals/${id}`]) expect((await forge.asUser(bob).send(line)).status).toBe(404)
    expect((await forge.asUser(eve).get(`/user/principals/${id}`)).body).toMatchObject({ id, name: 'eve' })
    expect((await forge.asUser(eve).delete(`/user/principals/${id}`)).status).toBe(204)
    expect(await send(certificate)).toEqual(refused('no account matches a principal'))
  })

  test('a name that its holder gave up stands for who has it now, once they say so', async () => {
    const root = await forge.person('root1', { isAdmin: true })
    const first = await forge.person('passed-on')
    await addName('passed-on', first)
    const certificate = ssh.certificate(authority, key, '-n', 'passed-on')
    expect(await send(certificate)).toEqual([200, 'passed-on'])
    await forge.asUser(root).post('/admin/users/passed-on/rename', { new_username: 'moved' })
    expect(await send(certificate)).toEqual(refused('no account matches a principal'))
    forge.context.db.tx((tx) => tx.run("DELETE FROM reserved_name WHERE lower_name = 'passed-on'"))
    const second = await forge.person('passed-on', { email: 'second@example.org' })
    expect(await send(certificate)).toEqual(refused('no account matches a principal'))
    expect((await addName('passed-on', second)).status).toBe(201)
    const { id } = second.row
    expect(await send(certificate)).toEqual([200, 'passed-on'])
    expect(forge.context.db.find('SELECT user_id FROM key_principal WHERE name = ?', 'passed-on')).toEqual({ user_id: id })
  })

  test('the setting decides what people can go by', async () => {
    await using open = testForge({ server: { SSH_TRUSTED_USER_CA_KEYS: trusted, SSH_AUTHORIZED_PRINCIPALS_ALLOW: ['anything'] } })
    await using off = testForge({ server: { SSH_TRUSTED_USER_CA_KEYS: trusted, SSH_AUTHORIZED_PRINCIPALS_ALLOW: ['off'] } })
    expect((await addName('corp-1234', await open.person('ada'), open)).status).toBe(201)
    expect(await send(ssh.certificate(authority, key, '-n', 'corp-1234'), key, open)).toEqual([200, 'ada'])
    expect((await addName('ada', await off.person('ada'), off)).status).toBe(422)
  })

  test('the page of keys adds and deletes names, where certificates are taken', async () => {
    const kim = await forge.person('kim', { password: PASSWORD })
    const browser = new TestBrowser(forge, kim)
    expect((await browser.get('/user/settings/keys')).text).toContain('Names in certificates')
    const wrong = await browser.post('/user/settings/keys/principals', { name: 'bob' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringMatching(/you may not go by it/i)])
    expect((await browser.post('/user/settings/keys/principals', { name: 'kim' })).status).toBe(303)
    const { text } = await browser.get('/user/settings/keys')
    const [, id] = /principals\/(\d+)\/delete/.exec(text) ?? []
    expect((await browser.post(`/user/settings/keys/principals/${id}/delete`)).status).toBe(303)
    expect((await forge.asUser(kim).get<unknown[]>('/user/principals')).body).toEqual([])
    await using closed = testForge()
    expect((await new TestBrowser(closed, await closed.person('kim')).get('/user/settings/keys')).text).not.toContain('Names in certificates')
  })

  test('a certificate of an authority over itself, or signed by the key it is for, is not believed', async () => {
    expect(await send(ssh.certificate(stranger, stranger, '-n', 'ada'), stranger)).toEqual(refused('trusted certificate authority'))
  })
})
