import { chmodSync, closeSync, fsyncSync, linkSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from './errors.ts'
import { randomHex, sha256Hex } from './ids.ts'

/** Loaded when there is something to encrypt: most starts have nothing. */
const crypto = () => process.getBuiltinModule('node:crypto')

const FILE = 'secret.key'
const IV_BYTES = 12
const TAG_BYTES = 16
/** For so long the file of a key without its name may be another process'. */
const COMING_MS = 60_000

/** A text was encrypted under a key that is not there. */
export class SecretLost extends Error {}

interface Key {
  id: string
  bytes: Buffer
}

/**
 * Encrypts secrets that have to be read again (of hooks, runners, other servers), so that neither the database nor a copy of it
 * tells them. The key stands beside the store in `secret.key` (0600): lines of 64 hexadecimal digits. The first encrypts, all
 * decrypt: one that was lost and found is added below.
 *
 * A sealed text is `v1:key:data`: eight digits that name the key, and base64url of a random IV of 12 bytes, the text under AES-256-GCM, and
 * its tag of 16; what the secret is for is authenticated with it. An empty text stays empty.
 */
export class SecretBox {
  readonly #path: string
  #keys: readonly Key[] | undefined

  /** @param dataPath where the key is, or will be with the first secret */
  constructor(dataPath: string) {
    this.#path = join(dataPath, FILE)
  }

  /** The file with the key, for messages. */
  get path(): string {
    return this.#path
  }

  /** Looks at the key, where there is one: nobody else on the machine can read it from now on. @throws Error when it cannot be used */
  check(): void {
    const text = this.#read()
    if (text === undefined) return
    this.#keys = this.#keysIn(text)
    keepFromOthers(this.#path)
  }

  /** Makes the key, unless there is one. @throws Error when the file cannot be read, or holds something else */
  prepare(): void {
    this.#keys ??= this.#load()
  }

  /** @param purpose what it is for: nobody can pass it off as a secret of another kind */
  seal(text: string, purpose: string): string {
    if (text === '') return ''
    const [key] = this.#all()
    if (!key) throw new Error(`Cannot encrypt: ${this.#path} has no key`)
    const iv = crypto().randomBytes(IV_BYTES)
    const cipher = crypto().createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(Buffer.from(purpose))
    const data = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `v1:${key.id}:${data.toString('base64url')}`
  }

  /** @throws SecretLost when it cannot be read any more */
  open(sealed: string, purpose: string): string {
    if (sealed === '') return ''
    const [, id, data] = sealedForm.exec(sealed) ?? []
    const key = this.#all().find((one) => one.id === id)
    if (!key || data === undefined) throw new SecretLost(`Cannot decrypt the secret: its key is not in ${this.#path}`)
    const bytes = Buffer.from(data, 'base64url')
    try {
      const decipher = crypto().createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES)).setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new SecretLost('Cannot decrypt the secret: the encrypted value was changed', { cause })
    }
  }

  /** Whether it is a text of `seal`'s that a key which is there can open. */
  holdsKeyOf(sealed: string): boolean {
    const id = sealedForm.exec(sealed)?.[1]
    return this.#all().some((key) => key.id === id)
  }

  #all(): readonly Key[] {
    this.#keys ??= this.#load()
    return this.#keys
  }

  #load(): readonly Key[] {
    return this.#keysIn(this.#read() ?? this.#make() ?? this.#read() ?? '')
  }

  #keysIn(text: string): readonly Key[] {
    const lines = text.split('\n').map((line) => line.trim())
    const keys = lines.filter((line) => line !== '')
    if (keys.length === 0 || keys.some((key) => !/^[0-9a-f]{64}$/.test(key))) {
      throw new Error(
        `Cannot use ${this.#path}: expected lines of 64 hexadecimal digits. Restore the original file. Without it, you must enter all webhook secrets again.`,
      )
    }
    return keys.map((key) => ({ id: sha256Hex(key).slice(0, 8), bytes: Buffer.from(key, 'hex') }))
  }

  #read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw new Error(`Cannot read ${this.#path}: ${messageOf(error)}`, { cause: error })
    }
  }

  /** It has its name once it is whole and durable: a crash leaves no half of one. Undefined when another process was faster. */
  #make(): string | undefined {
    const key = `${crypto().randomBytes(32).toString('hex')}\n`
    const coming = `${this.#path}.${randomHex(8)}.tmp`
    this.#sweep()
    try {
      writeFileSync(coming, key, { flag: 'wx', mode: 0o600, flush: true })
      giveName(coming, this.#path)
      return key
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return undefined
      throw error
    } finally {
      rmSync(coming, { force: true })
    }
  }

  /** Removes what a crash left of keys that never got their name. */
  #sweep(): void {
    const directory = dirname(this.#path)
    for (const name of readdirSync(directory).filter((one) => one.startsWith(`${FILE}.`) && one.endsWith('.tmp'))) {
      const path = join(directory, name)
      if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > COMING_MS) rmSync(path, { force: true })
    }
  }
}

/** A copy that somebody put back may be open to all. A disk that takes nothing leaves it so. */
function keepFromOthers(path: string): void {
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, 0o600)
  } catch (error) {
    if (!['EROFS', 'EPERM', 'EACCES'].includes(codeOf(error))) throw error
  }
}

/** Durably, and unless the name is taken. @throws Error EEXIST when it is; file systems without hard links do not tell */
function giveName(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error
    renameSync(from, to)
  }
  if (process.platform === 'win32') return
  const directory = openSync(dirname(to), 'r')
  fsyncSync(directory)
  closeSync(directory)
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}

const sealedForm = /^v1:([0-9a-f]{8}):([\w-]{38,})$/

/** Whether a text is one of `seal`'s, by whatever key. */
export function isSealed(text: string): boolean {
  return sealedForm.test(text)
}
