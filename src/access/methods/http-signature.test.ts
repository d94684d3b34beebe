import { afterAll, describe, expect, setSystemTime, test } from 'bun:test'
import { constants, createHash, type KeyObject, sign } from 'node:crypto'
import { wireString } from '#kernel/ssh-wire.ts'
import { turns } from '../../../test/eventually.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { digestOf, fingerprintOfKey, privateKeyIn, publicKeyOf, SshKeygen, signed as signedNow } from '../../../test/sign-request.ts'

/** Requests that are signed with keys of ssh-keygen's, by another implementation or by hand. */

describe.skipIf(Bun.which('ssh-keygen') === null)('with keys of ssh-keygen,', async () => {
  if (Bun.which('ssh-keygen') === null) return
  const ssh = new SshKeygen()
  let now = 1_780_000_000
  const clock = { seconds: () => now, millis: () => now * 1000 }
  const forge = testForge({}, { clock })
  afterAll(async () => {
    await forge[Symbol.asyncDispose]()
    ssh[Symbol.dispose]()
  })
  const ada = await forge.person('ada')
  const asAda = forge.asUser(ada)
  const keys = {
    ed25519: ssh.key('-t', 'ed25519'),
    'ecdsa of 256 bits': ssh.key('-t', 'ecdsa', '-b', '256', '-m', 'PEM'),
    'ecdsa of 384 bits': ssh.key('-t', 'ecdsa', '-b', '384', '-m', 'PEM'),
    rsa: ssh.rsaKey(),
  }
  const { ed25519, rsa, 'ecdsa of 256 bits': ecdsa } = keys
  for (const [title, key] of Object.entries(keys)) await asAda.post('/user/keys', { title, key: publicKeyOf(key) })

  /** The library asks the system for the time. */
  const signed: typeof signedNow = (...request) => {
    setSystemTime(new Date(now * 1000))
    try {
      return signedNow(...request)
    } finally {
      setSystemTime()
    }
  }

  /** Every request is another: a signature is used once. */
  let asked = 0
  const path = () => `/api/v1/user?n=${++asked}`
  const send = async (path: string, headers: Record<string, string>, more: RequestInit = {}, to: TestForge = forge) => {
    const response = await to.app.handle(new Request(`http://localhost${path}`, { headers, ...more }))
    const body = response.headers.get('content-type')?.includes('json') ? ((await response.json()) as { login?: string; message?: string }) : {}
    return { status: response.status, login: body.login, message: body.message }
  }

  /** A signature made by hand, with whatever is to be wrong about it. */
  interface ByHand {
    key?: string
    keyId?: string
    algorithm?: string
    created?: number | string
    expires?: number | string
    covered?: string[]
    target?: string
    method?: string
    headers?: Record<string, string>
    make?: (key: KeyObject, text: string) => Buffer
  }
  const byHand = (target: string, options: ByHand = {}) => {
    const { key = ed25519, keyId = fingerprintOfKey(key), algorithm = 'hs2019', created = now, expires = now + 10, method = 'get', headers = {} } = options
    const covered = options.covered ?? ['(request-target)', '(created)', '(expires)', ...Object.keys(headers)]
    const values: Record<string, string> = { '(request-target)': `${method} ${options.target ?? target}`, '(created)': `${created}`, '(expires)': `${expires}` }
    const text = covered.map((name) => `${name}: ${values[name] ?? headers[name] ?? ''}`).join('\n')
    const signature = (options.make ?? ((key, text) => sign(null, Buffer.from(text), key)))(privateKeyIn(key), text).toString('base64')
    const params = `keyId="${keyId}",algorithm="${algorithm}",created=${created},expires=${expires},headers="${covered.join(' ')}",signature="${signature}"`
    return { ...headers, Signature: params }
  }

  test.each(['ed25519', 'ecdsa of 256 bits', 'rsa'] as const)('a request that http-signature signs with %s signs in', async (kind) => {
    for (const into of ['Signature', 'Authorization'] as const) {
      const target = path()
      expect(await send(target, signed('GET', target, {}, { key: keys[kind], into }))).toMatchObject({ status: 200, login: 'ada' })
    }
    const body = JSON.stringify({ description: kind })
    for (const hash of ['sha256', 'sha512'] as const) {
      const target = `/api/v1/user/settings?n=${++asked}`
      const headers = signed('PATCH', target, { Digest: digestOf(body, hash), 'Content-Type': 'application/json' }, { key: keys[kind] })
      expect(await send(target, headers, { method: 'PATCH', body })).toMatchObject({ status: 200 })
    }
  })

  test('a date does in place of (created), as older clients sign', async () => {
    const target = path()
    const headers = signed('GET', target, { Date: new Date(now * 1000).toUTCString() }, { key: ed25519, covered: ['(request-target)', 'date'] })
    expect((await send(target, headers)).status).toBe(200)
    const old = new Date((now - 100) * 1000).toUTCString()
    expect((await send(target, signed('GET', target, { Date: old }, { key: ed25519, covered: ['(request-target)', 'date'] }))).status).toBe(401)
  })

  test('a client may sign the decoded path, as that of Go does', async () => {
    const encoded = '/api/v1/repos/ada/a%20b'
    expect((await send(encoded, byHand(encoded, { target: '/api/v1/repos/ada/a b' }))).status).toBe(404)
    expect((await send(encoded, byHand(encoded, { target: '/api/v1/repos/ada/a c' }))).status).toBe(401)
  })

  test('an ECDSA key of 384 bits signs as the draft has it, and as SSH agents do', async () => {
    const key = keys['ecdsa of 384 bits']
    const ways: [string, (key: KeyObject, text: string) => Buffer][] = [
      ['ecdsa-sha384', (key, text) => sign('sha384', Buffer.from(text), key)],
      ['hs2019', (key, text) => sign('sha384', Buffer.from(text), key)],
      ['hs2019', (key, text) => sign('sha512', Buffer.from(text), key)],
      ['hs2019', (key, text) => sshPair(sign('sha384', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }))],
    ]
    for (const [algorithm, make] of ways) {
      const target = path()
      expect((await send(target, byHand(target, { key, algorithm, make }))).status).toBe(200)
    }
  })

  test('RSA signatures of SSH agents and the PSS ones of the draft go by the same name', async () => {
    const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }
    const ways = [
      (key: KeyObject, text: string) => sign('sha256', Buffer.from(text), key),
      (key: KeyObject, text: string) => sign('sha512', Buffer.from(text), key),
      (key: KeyObject, text: string) => sign('sha512', Buffer.from(text), { key, ...pss }),
    ]
    for (const make of ways) {
      const target = path()
      expect((await send(target, byHand(target, { key: rsa, make }))).status).toBe(200)
    }
    const target = path()
    expect((await send(target, byHand(target, { key: rsa, make: (key, text) => sign('sha1', Buffer.from(text), key) }))).status).toBe(401)
  })

  const der = (key: KeyObject, text: string) => sign('sha256', Buffer.from(text), key)
  const wrong: [string, (target: string) => Record<string, string>][] = [
    ['of another target', (target) => byHand(target, { target: `${target}&more` })],
    ['of another method', (target) => byHand(target, { method: 'delete' })],
    ['that covers no target', (target) => byHand(target, { covered: ['(created)', '(expires)'] })],
    ['that covers no time', (target) => byHand(target, { covered: ['(request-target)', '(expires)'] })],
    ['that is too old', (target) => byHand(target, { created: now - 50, expires: now - 40 })],
    ['that is too old and says otherwise', (target) => byHand(target, { created: now - 50, expires: now + 1000 })],
    ['of the future', (target) => byHand(target, { created: now + 40, expires: now + 50 })],
    ['that ends before it begins', (target) => byHand(target, { created: now, expires: now - 1 })],
    ['of no number of seconds', (target) => byHand(target, { created: '"x"' })],
    ['by a key that nobody has', (target) => byHand(target, { key: ssh.key('-t', 'ed25519') })],
    ['by another key than it names', (target) => byHand(target, { keyId: fingerprintOfKey(ecdsa) })],
    ['by an ECDSA key, called RSA', (target) => byHand(target, { key: ecdsa, algorithm: 'rsa-sha256', make: der })],
    ['by an RSA key, called ECDSA', (target) => byHand(target, { key: rsa, algorithm: 'ecdsa-sha256', make: der })],
    ['by an Ed25519 key, called RSA', (target) => byHand(target, { algorithm: 'rsa-sha256' })],
    [
      'that is an HMAC by the public key',
      (target) =>
        byHand(target, {
          key: rsa,
          algorithm: 'hmac-sha256',
          make: (_, text) => new Bun.CryptoHasher('sha256', publicKeyOf(rsa)).update(text).digest(),
        }),
    ],
    ['of no algorithm that there is', (target) => byHand(target, { algorithm: '__proto__' })],
    ['that is cut short', (target) => byHand(target, { make: (key, text) => sign(null, Buffer.from(text), key).subarray(1) })],
    ['that is empty', (target) => byHand(target, { make: () => Buffer.alloc(0) })],
    ['of a header that is not there', (target) => byHand(target, { covered: ['(request-target)', '(created)', 'x-absent'] })],
    ['of a header twice', (target) => byHand(target, { covered: ['(request-target)', '(created)', '(created)'] })],
    ['of something that is no header', (target) => byHand(target, { covered: ['(request-target)', '(created)', '(status)'] })],
    ['that says something twice', (target) => ({ Signature: `${byHand(target).Signature},keyId="x"` })],
    ['that is no list', (target) => ({ Signature: `${byHand(target).Signature} and more` })],
    ['that is only begun', () => ({ Signature: 'keyId="' })],
    ['of a megabyte', (target) => ({ Signature: byHand(target).Signature.replace('hs2019', 'x'.repeat(1_000_000)) })],
    ['beside somebody to act as who is not signed', (target) => ({ ...byHand(target), Sudo: 'bob' })],
    ['with a certificate, where nobody is trusted to make them', (target) => byHand(target, { headers: { 'x-ssh-certificate': 'AAAA' } })],
  ]
  test.each(wrong)('a signature %s is refused, where everybody is let in too', async (_, headersFor) => {
    for (const target of [path(), `/api/v1/version?n=${++asked}`]) {
      const { status, message } = await send(target, headersFor(target))
      expect([status, message]).toEqual([401, expect.any(String)])
    }
  })

  test('clocks may be half a minute apart, and no more', async () => {
    now += 60
    for (const [apart, status] of [
      [29, 200],
      [-29, 200],
      [31, 401],
      [-41, 401],
    ] as const) {
      const target = path()
      expect([apart, (await send(target, byHand(target, { created: now + apart, expires: now + apart + 10 }))).status]).toEqual([apart, status])
    }
  })

  test('a signature is used once, by whoever is first, also of a curve that has two for each text', async () => {
    for (const key of [ed25519, ecdsa]) {
      const target = path()
      const headers = byHand(target, { key, make: key === ecdsa ? der : undefined })
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(target, headers)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 401, message: expect.stringContaining('already used') })
      expect((await send(target, byHand(target, { key, make: key === ecdsa ? der : undefined }))).status).toBe(401)
      now += 1
      expect((await send(target, byHand(target, { key, make: key === ecdsa ? der : undefined }))).status).toBe(200)
    }
  })

  test('one that was made before the server started may have been used, and is refused', async () => {
    await using fresh = testForge({}, { clock })
    const { token } = await fresh.person('ada')
    await fresh.asUser(token).post('/user/keys', { title: 'x', key: publicKeyOf(ed25519) })
    const target = path()
    expect((await send(target, byHand(target, { created: now - 1 }), {}, fresh)).status).toBe(401)
    expect((await send(target, byHand(target), {}, fresh)).status).toBe(200)
  })

  test('it counts for no key that is a deploy key, was deleted, or is in a token', async () => {
    const [deployed, removed] = [ssh.key('-t', 'ed25519'), ssh.key('-t', 'ed25519')]
    forge.repo(ada, 'engine')
    await asAda.post('/repos/ada/engine/keys', { title: 'x', key: publicKeyOf(deployed) })
    const added = await asAda.post<{ id: number }>('/user/keys', { title: 'gone', key: publicKeyOf(removed) })
    const target = path()
    expect((await send(target, byHand(target, { key: removed }))).status).toBe(200)
    await asAda.delete(`/user/keys/${added.body.id}`)
    for (const key of [deployed, removed]) {
      const target = path()
      expect((await send(target, byHand(target, { key }))).status).toBe(401)
    }
  })

  test('a key that is for reading reads', async () => {
    const key = ssh.key('-t', 'ed25519')
    await asAda.post('/user/keys', { title: 'reading', key: publicKeyOf(key), read_only: true })
    const target = path()
    expect((await send(target, byHand(target, { key }))).status).toBe(200)
    const writing = `/api/v1/user/settings?n=${++asked}`
    const headers = byHand(writing, { key, method: 'patch', headers: { digest: digestOf('{}') } })
    expect((await send(writing, { ...headers, 'Content-Type': 'application/json' }, { method: 'PATCH', body: '{}' })).status).toBe(403)
  })

  test('whoever signs is told as much, and makes no tokens', async () => {
    const target = '/api/v1/users/ada/tokens'
    const body = JSON.stringify({ name: 'x', scopes: ['all'] })
    const headers = { ...byHand(target, { method: 'post', headers: { digest: digestOf(body) } }), 'Content-Type': 'application/json' }
    expect(await send(target, headers, { method: 'POST', body })).toMatchObject({ status: 401, message: 'auth required' })
  })

  test('an account that is barred signs nothing', async () => {
    const { token, row } = await forge.person('barred')
    const key = ssh.key('-t', 'ed25519')
    await forge.asUser(token).post('/user/keys', { title: 'x', key: publicKeyOf(key) })
    forge.context.db.tx((tx) => tx.update('user', row.id, { prohibit_login: 1 }))
    const target = path()
    expect((await send(target, byHand(target, { key }))).status).toBe(403)
  })

  test('its use is noted to the minute', async () => {
    const lastUse = async () =>
      (await asAda.get<{ title: string; last_used_at: string }[]>('/user/keys?limit=50')).body.find(({ title }) => title === 'ed25519')?.last_used_at
    const uses = []
    for (const step of [100, 30, 31]) {
      now += step
      const target = path()
      await send(target, byHand(target))
      uses.push(Date.parse((await lastUse()) as string) / 1000 - now)
    }
    expect(uses).toEqual([0, -30, 0])
  })

  test('a message signature of RFC 9421 is none of these, and is left alone', async () => {
    const headers = { Signature: 'sig1=:AAAA:', 'Signature-Input': 'sig1=("@method");keyid="x"' }
    expect((await send('/api/v1/version', headers)).status).toBe(200)
  })

  describe('the body', () => {
    const change = (body: string, headers: Record<string, string>, sent: RequestInit['body'] = body) => {
      const target = `/api/v1/user/settings?n=${++asked}`
      const all = { ...byHand(target, { method: 'patch', headers }), 'Content-Type': 'application/json' }
      return send(target, all, { method: 'PATCH', body: sent })
    }
    const description = async () => (await asAda.get<{ description: string }>('/user')).body.description

    test('must be the one that was signed', async () => {
      const body = JSON.stringify({ description: 'signed' })
      expect((await change(body, { digest: digestOf(body) })).status).toBe(200)
      expect(await change(body, { digest: digestOf(body) }, body.replace('signed', 'forged'))).toMatchObject({
        status: 401,
        message: expect.stringContaining('does not match the digest'),
      })
      expect(await description()).toBe('signed')
    })

    test.each<[string, Record<string, string>]>([
      ['no digest', {}],
      ['a digest by MD5', { digest: `MD5=${createHash('md5').update('{}').digest('base64')}` }],
      ['a digest that is cut short', { digest: digestOf('{}').slice(0, 30) }],
      ['an empty digest', { digest: 'SHA-256=' }],
      ['a digest by a name of no hash', { digest: 'constructor=AAAA' }],
    ])('with %s is refused', async (_, headers) => {
      expect((await change('{}', headers)).status).toBe(401)
    })

    test('may be digested in several ways, of which one is known', async () => {
      expect((await change('{}', { digest: `MD5=AAAA, ${digestOf('{}', 'sha512')}` })).status).toBe(200)
    })

    test('must be digested under the signature, not beside it', async () => {
      const target = `/api/v1/user/settings?n=${++asked}`
      const headers = { ...byHand(target, { method: 'patch' }), digest: digestOf('{}'), 'Content-Type': 'application/json' }
      expect((await send(target, headers, { method: 'PATCH', body: '{}' })).status).toBe(401)
    })

    test('may come slowly, when the signature is over meanwhile', async () => {
      const parts = ['{"description":', '"slow"}']
      const digest = digestOf(parts.join(''))
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await turns(20)
            now += 60
            const part = parts.shift()
            if (part === undefined) controller.close()
            else controller.enqueue(new TextEncoder().encode(part))
          },
        },
        { highWaterMark: 0 },
      )
      expect((await change('', { digest }, body)).status).toBe(200)
      expect(await description()).toBe('slow')
    })

    test.each([
      ['as it is', (bytes: string) => ({ type: 'application/octet-stream', sent: bytes })],
      [
        'in a form',
        (bytes: string) => ({
          type: 'multipart/form-data; boundary=x',
          sent: `--x\r\nContent-Disposition: form-data; name="attachment"; filename="a.bin"\r\n\r\n${bytes}\r\n--x--\r\n`,
        }),
      ],
    ])('that is a file, sent %s, stays only if it is the one that was signed', async (_, form) => {
      const name = `files${++asked}`
      forge.repo(ada, name)
      const issue = (await asAda.post<{ number: number }>(`/repos/ada/${name}/issues`, { title: 'x' })).body.number
      const release = await makeRelease(forge, ada.token, name)
      const targets = [`/api/v1/repos/ada/${name}/releases/${release}/assets?name=a.bin`]
      if (form('').type.startsWith('multipart')) targets.push(`/api/v1/repos/ada/${name}/issues/${issue}/assets?name=a.zip`)
      for (const target of targets) {
        const { type, sent } = form('x'.repeat(200_000))
        const headers = { ...byHand(target, { method: 'post', headers: { digest: digestOf(sent) } }), 'Content-Type': type }
        expect(await send(target, headers, { method: 'POST', body: sent.replace('xxxx', 'yyyy') })).toMatchObject({ status: 401 })
        expect((await asAda.get<unknown[]>(target.replace('/api/v1', ''))).body).toEqual([])
        now += 1
        const again = { ...byHand(target, { method: 'post', headers: { digest: digestOf(sent) } }), 'Content-Type': type }
        expect((await send(target, again, { method: 'POST', body: sent })).status).toBe(201)
      }
    })
  })
})

/** Two numbers side by side as SSH writes them. */
function sshPair(numbers: Buffer): Buffer {
  const half = numbers.length / 2
  const positive = (number: Buffer) => wireString(Buffer.concat([Buffer.alloc(1), number]))
  return Buffer.concat([positive(numbers.subarray(0, half)), positive(numbers.subarray(half))])
}

async function makeRelease(forge: TestForge, token: string, name: string): Promise<number> {
  const content = { content: btoa('x'), message: 'x' }
  await forge.asUser(token).post(`/repos/ada/${name}/contents/a`, content)
  return (await forge.asUser(token).post<{ id: number }>(`/repos/ada/${name}/releases`, { tag_name: 'v1' })).body.id
}
