import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sign as signByLibrary } from 'http-signature'
import { parsePrivateKey } from 'sshpk'
import { rsaKeys } from './rsa-keys.ts'

/** Keys and certificates as `ssh-keygen` makes them, in a directory that goes when it is disposed of. */
export class SshKeygen implements Disposable {
  readonly #directory = mkdtempSync(join(tmpdir(), 'pf-ssh-'))
  #count = 0
  #rsaCount = 0

  /** One of the RSA keys that are kept, as long as there are any. @returns the path of the private key; the public one is beside it */
  rsaKey(): string {
    const kept = rsaKeys[this.#rsaCount++]
    if (kept === undefined) return this.key('-t', 'rsa', '-b', '3072', '-m', 'PEM')
    const path = join(this.#directory, `key${++this.#count}`)
    writeFileSync(path, kept[0], { mode: 0o600 })
    writeFileSync(`${path}.pub`, `${kept[1]}\n`)
    return path
  }

  /** @param options such as `-t`, `ed25519`. @returns the path of the private key; the public one is beside it */
  key(...options: string[]): string {
    const path = join(this.#directory, `key${++this.#count}`)
    this.#run(['-q', '-N', '', '-C', 'test', '-f', path, ...options])
    return path
  }

  /** @param options such as `-n`, `ada`. @returns what an `x-ssh-certificate` header carries */
  certificate(authority: string, key: string, ...options: string[]): string {
    this.#run(['-q', '-s', authority, '-I', 'test', ...options, `${key}.pub`])
    return readFileSync(`${key}-cert.pub`, 'utf8').split(' ')[1]?.replace(/=+$/, '') as string
  }

  #run(args: string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(['ssh-keygen', ...args])
    if (exitCode !== 0) throw new Error(`ssh-keygen ${args.join(' ')}: ${stderr}`)
  }

  [Symbol.dispose](): void {
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

/** Of RFC 8410, before the key's 32 bytes. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

/** What `node:crypto` signs with. */
export function privateKeyIn(path: string): KeyObject {
  const text = readFileSync(path, 'utf8')
  if (!text.includes('OPENSSH')) return createPrivateKey(text)
  const key = parsePrivateKey(text, 'auto')
  const { k } = (key as unknown as { part: Record<string, { data: Buffer }> }).part
  if (key.type !== 'ed25519' || !k) throw new Error(`Cannot read ${path}: make it with -m PEM`)
  return createPrivateKey({ key: Buffer.concat([ed25519Prefix, k.data]), format: 'der', type: 'pkcs8' })
}

export const publicKeyOf = (key: string) => readFileSync(`${key}.pub`, 'utf8').trim()

export function fingerprintOfKey(key: string): string {
  const blob = Buffer.from(publicKeyOf(key).split(' ')[1] as string, 'base64')
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

interface Signing {
  /** Path of the private key. */
  key: string
  keyId?: string
  /** What is signed. */
  covered?: string[]
  /** The header that carries the signature. */
  into?: 'Signature' | 'Authorization'
  algorithm?: string
}

/**
 * Signs a request with the library that the draft's first authors keep.
 * @param headers of the request, which get the signature besides
 */
export function signed(method: string, path: string, headers: Record<string, string>, { key, keyId, covered, into = 'Signature', algorithm }: Signing) {
  const all: Record<string, string> = {}
  const request = {
    method,
    path,
    getHeader: (name: string) => Object.entries({ ...headers, ...all }).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1],
    setHeader: (name: string, value: string) => {
      all[name] = value
    },
  }
  const options = {
    keyId: keyId ?? fingerprintOfKey(key),
    key: readFileSync(key, 'utf8'),
    headers: covered ?? ['(request-target)', '(created)', '(expires)', ...Object.keys(headers).map((name) => name.toLowerCase())],
    authorizationHeaderName: into,
    expiresIn: 10,
    ...(algorithm === undefined ? {} : { algorithm }),
  }
  signByLibrary(request as never, options as never)
  return { ...headers, ...all }
}

export function digestOf(body: string | Uint8Array, hash: 'sha256' | 'sha512' = 'sha256'): string {
  return `${hash === 'sha256' ? 'SHA-256' : 'SHA-512'}=${createHash(hash).update(body).digest('base64')}`
}
