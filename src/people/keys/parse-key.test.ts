import { afterAll, expect, test } from 'bun:test'
import { createECDH } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rsaKeys } from '../../../test/rsa-keys.ts'
import { isSoak } from '../../../test/soak.ts'
import { parsePublicKey } from './parse-key.ts'

const directory = mkdtempSync(join(tmpdir(), 'pf-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString()
}

/** A key that OpenSSH made. */
function generate(type: string, bits: number): { text: string; fingerprint: string } {
  const file = join(directory, `${type}${bits}`)
  if (type === 'rsa' && !isSoak) writeFileSync(`${file}.pub`, `${rsaKeys[0]?.[1]}\n`)
  else run('ssh-keygen', '-q', '-t', type, '-b', String(bits), '-N', '', '-C', `${type} ${bits} key`, '-f', file)
  return { text: readFileSync(`${file}.pub`, 'utf8'), fingerprint: run('ssh-keygen', '-lf', `${file}.pub`).split(' ')[1] as string }
}

const field = (bytes: string | Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.from(bytes).length)
  return Buffer.concat([length, Buffer.from(bytes)])
}
const line = (type: string, ...fields: (string | Uint8Array)[]) => `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')}`

/** A point of P-256, uncompressed. */
const onCurve = createECDH('prime256v1').generateKeys()
const ed25519 = `${line('ssh-ed25519', Buffer.alloc(32, 7))} ada`
/** Of this many bits, which begin with a one; the number is positive by the zero before it. */
const rsa = (bits: number) => line('ssh-rsa', Buffer.of(1, 0, 1), Buffer.concat([Buffer.of(0), Buffer.alloc(bits / 8, 0xff)]))

test.skipIf(Bun.which('ssh-keygen') === null).each([
  ['ed25519', 256],
  ['ecdsa', 256],
  ['ecdsa', 521],
  ['rsa', 3072],
])('a key that ssh-keygen makes is taken, with the fingerprint that it prints: %s, %i bits', (type, bits) => {
  const { text, fingerprint } = generate(type, bits)
  expect(parsePublicKey(text)).toEqual({ content: text.trim(), fingerprint })
})

test('an RSA key is taken from 3072 bits up to as many as OpenSSH takes', () => {
  for (const bits of [3072, 4096, 16_384]) expect(parsePublicKey(rsa(bits)).content).toBe(rsa(bits))
})

test.each([
  ['sk-ssh-ed25519@openssh.com', [Buffer.alloc(32, 7), 'ssh:']],
  ['sk-ecdsa-sha2-nistp256@openssh.com', ['nistp256', onCurve, 'ssh:']],
] as const)('a key in a security key is taken: %s', (type, fields) => {
  expect(parsePublicKey(line(type, ...fields)).fingerprint).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
})

test('a fingerprint does not depend on the comment', () => {
  const [type, base64] = ed25519.split(' ')
  const { fingerprint } = parsePublicKey(ed25519)
  for (const text of [`${type} ${base64}`, `  ${type}  ${base64}\tother comment \n`]) expect(parsePublicKey(text).fingerprint).toBe(fingerprint)
})

test.each([
  ['rsa, 2048 bits', rsa(2048), 'key length is not enough: got 2048, needs 3071'],
  ['rsa, more bits than OpenSSH takes', rsa(16_392), 'key length is too large: got 16392, the maximum is 16384'],
  ['rsa, as large as a request', rsa(88_000), 'key length is too large: got 88000, the maximum is 16384'],
  ['dsa', line('ssh-dss', Buffer.alloc(129, 1), Buffer.alloc(21, 1), Buffer.alloc(129, 1), Buffer.alloc(129, 1)), 'is not supported'],
  ['nothing', '', 'one line'],
  ['a type alone', 'ssh-ed25519', 'one line'],
  ['no base64', 'ssh-ed25519 !!!!', 'one line'],
  ['a second line', `${ed25519}\nssh-ed25519 AAAA`, 'one line'],
  ['options before the key', `command="sh" ${ed25519}`, 'one line'],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----\n', 'one line'],
  ['a terminal escape in the comment', `${ed25519}\u001b[2J`, 'one line'],
  ['a key cut short', ed25519.slice(0, 60), 'does not accept this public key'],
  ['another type in front', ed25519.replace('ssh-ed25519', 'ssh-rsa'), 'does not accept this public key'],
  ['a field longer than the key', `ssh-rsa ${Buffer.from('ffffffff', 'hex').toString('base64')}`, 'does not accept this public key'],
  ['a security key cut short', line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32)).slice(0, -8), 'the key is truncated'],
  ['a security key without its application', line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32)), 'does not accept this security key'],
  [
    'a security key that says it is another',
    line('sk-ssh-ed25519@openssh.com', Buffer.alloc(32), 'ssh:').replace('sk-ssh-ed25519@', 'sk-ssh-ed25519-x@'),
    'does not accept this security key',
  ],
  ['an empty security key', 'sk-ssh-ed25519@openssh.com AAAA', 'the key is truncated'],
])('%s is refused', (_, text, reason) => {
  expect(() => parsePublicKey(text)).toThrow(new RegExp(`^Invalid key content: .*${reason}`))
})

test('no key that is a few bits off crashes the parser', () => {
  const bytes = Buffer.from(ed25519.split(' ')[1] as string, 'base64')
  for (let i = 0; i < bytes.length; i++) {
    for (const flip of [1, 0x80, 0xff]) {
      const changed = Buffer.from(bytes)
      changed[i] = (changed[i] as number) ^ flip
      try {
        parsePublicKey(`ssh-ed25519 ${changed.toString('base64')}`)
      } catch (error) {
        expect((error as Error).message).toStartWith('Invalid key content: ')
      }
    }
  }
})

test.skipIf(Bun.which('ssh-keygen') === null)(
  'what is no key is taken as little as by ssh-keygen: points of no curve, numbers too short or below zero, something behind it',
  () => {
    const nistp256 = (point: Uint8Array) => line('ecdsa-sha2-nistp256', 'nistp256', point)
    const half = Buffer.from(onCurve.subarray(1, 33))
    const wrong = [
      line('ssh-ed25519', Buffer.alloc(31, 7)),
      line('ssh-ed25519', Buffer.alloc(33, 7)),
      line('ssh-ed25519', Buffer.alloc(32, 7), 'more'),
      nistp256(Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)])),
      nistp256(Buffer.concat([Buffer.of(2 + (onCurve[64] as number & 1)), half])),
      nistp256(Buffer.of(0)),
      line('ecdsa-sha2-nistp256', 'nistp256', onCurve, ''),
      line('ssh-rsa', Buffer.of(1, 0, 1), Buffer.alloc(384, 0xff)),
    ]
    const file = join(directory, 'judged.pub')
    const isTaken = (text: string) => {
      writeFileSync(file, `${text}\n`)
      return Bun.spawnSync(['ssh-keygen', '-lf', file]).exitCode === 0
    }
    const isOurs = (text: string) => {
      try {
        return parsePublicKey(text).content === text
      } catch {
        return false
      }
    }
    const right = [nistp256(onCurve), line('ssh-ed25519', Buffer.alloc(32, 7)), rsa(3072)]
    expect(right.map((text) => [isTaken(text), isOurs(text)])).toEqual(right.map(() => [true, true]))
    expect(wrong.map((text) => [isTaken(text), isOurs(text)])).toEqual(wrong.map(() => [false, false]))
  },
)
