import {
  Client,
  type Entry,
  FilterParser,
  InappropriateAuthError,
  InvalidCredentialsError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  UnwillingToPerformError,
} from 'ldapts'
import { messageOf } from '#kernel/errors.ts'
import type { NetworkConfig } from '#outbound/network/index.ts'
import type { LdapConfig } from '../config.ts'
import { SourceUnavailable } from '../found.ts'
import type { MessageLimits } from './message-stream.ts'
import { openStream } from './open-stream.ts'

export type { Entry }

const MIB = 1024 * 1024

/** For a sign-in: one entry with its picture, and its groups. */
export const personLimits: MessageLimits = { message: 8 * MIB, total: 32 * MIB }
/** For all people of a directory, whose pages are let go one by one. */
export const everyoneLimits: MessageLimits = { message: 8 * MIB, total: 4096 * MIB }

/** A page of people may take so long; for a sign-in, `signal` ends sooner. */
const LEAST_STEP_SECONDS = 60

export interface Search {
  filter: string
  attributes: string[]
  /** `base` is the entry itself; by default all below it. */
  scope?: 'base' | 'sub'
  /** No more entries are asked for. */
  limit?: number
}

/** What a directory answers to who may not come in as they ask to. */
const refusals = [InvalidCredentialsError, InappropriateAuthError, InvalidDNSyntaxError, NoSuchObjectError, UnwillingToPerformError]

/** A connection to a directory, on which everything ends when `signal` does. Referrals are not followed, aliases not either. */
export class Directory implements Disposable {
  readonly #client: Client
  readonly #config: LdapConfig
  readonly #close: () => void

  private constructor(client: Client, config: LdapConfig, close: () => void) {
    this.#client = client
    this.#config = config
    this.#close = close
  }

  /** @throws SourceUnavailable when it is not reached, or not over TLS as it is to be; and while the server is offline */
  static async open(network: NetworkConfig, config: LdapConfig, limits: MessageLimits, signal: AbortSignal): Promise<Directory> {
    const stream = await openStream(network, config, limits, signal).catch((cause) => {
      throw new SourceUnavailable(`Cannot connect to the LDAP server ${config.host}: ${messageOf(cause)}`, { cause })
    })
    const late = () => stream.destroy(new Error('the server did not respond in time'))
    signal.addEventListener('abort', late, { once: true })
    stream.once('error', () => {})
    // Which address it is the stream knows; the client only asks for a URL of the right form.
    const timeout = Math.max(config.timeout_seconds, LEAST_STEP_SECONDS) * 1000
    const client = new Client({ url: 'ldap://directory', strictDN: false, timeout, createConnection: (() => stream) as never })
    return new Directory(client, config, () => {
      signal.removeEventListener('abort', late)
      stream.destroy()
    })
  }

  /** Whether the entry has this password. An empty one is never sent: many directories take that for a visitor, and agree. Source: RFC 4513 §5.1.2 */
  async bind(dn: string, password: string): Promise<boolean> {
    if (dn === '' || password === '') return false
    try {
      await this.#client.bind(dn, password)
      return true
    } catch (error) {
      if (refusals.some((refusal) => error instanceof refusal)) return false
      throw unavailable(error)
    }
  }

  /** Goes on as the one who searches, or as a visitor where none is set. @throws SourceUnavailable */
  async bindAsSearcher(): Promise<void> {
    const { bind_dn: dn, bind_password: password } = this.#config
    try {
      if (dn === '' || password === '') await this.#client.bind('', '')
      else await this.#client.bind(dn, password)
    } catch (error) {
      throw unavailable(error, `the server rejected the bind as ${dn || 'anonymous'}`)
    }
  }

  /** None where the base is not there. @throws SourceUnavailable when the search fails, or its filter is none */
  async search(base: string, { filter, attributes, scope = 'sub', limit }: Search): Promise<Entry[]> {
    try {
      const options = { scope, filter: FilterParser.parseString(filter), attributes, sizeLimit: limit, derefAliases: 'never' as const }
      return (await this.#client.search(base, options)).searchEntries
    } catch (error) {
      if (error instanceof NoSuchObjectError) return []
      throw unavailable(error)
    }
  }

  /** All entries, a page at a time where the source is set up so. @throws SourceUnavailable when a page of it fails, or the base is not there */
  async *pages(base: string, { filter, attributes }: Search): AsyncGenerator<Entry[]> {
    const options = { filter: FilterParser.parseString(filter), attributes, derefAliases: 'never' as const }
    const pageSize = this.#config.page_size
    try {
      if (pageSize === 0) yield (await this.#client.search(base, options)).searchEntries
      else for await (const page of this.#client.searchPaginated(base, { ...options, paged: { pageSize } })) yield page.searchEntries
    } catch (error) {
      throw unavailable(error)
    }
  }

  [Symbol.dispose](): void {
    this.#close()
  }
}

function unavailable(cause: unknown, what = messageOf(cause)): SourceUnavailable {
  return new SourceUnavailable(`LDAP request failed: ${what}`, { cause })
}
