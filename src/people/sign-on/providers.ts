import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { GuardedClient, type HostList, isReachedFromElsewhere, parseHostList } from '#outbound/network/index.ts'
import { oauth2Addresses, type SourceOf, withTenant } from '#people/sources/index.ts'
import { OpenIdProvider } from './open-id.ts'
import { PlainProvider } from './plain.ts'
import { shapes } from './plain-shapes.ts'
import type { Provider } from './protocol.ts'

/** Browsers that may wait for one source's site at once: one that is slow holds up nobody else. */
const MOST_WAITING = 50

interface Known {
  provider: Provider
  /** Of the settings that it was made with. */
  settings: string
  waiting: number
}

/** The sites that people sign in at, with what they said of themselves. */
export class Providers {
  readonly client: GuardedClient
  readonly #context: Pick<Context, 'config' | 'clock'>
  readonly #known = new Map<number, Known>()

  constructor(context: Pick<Context, 'config' | 'clock'>) {
    this.#context = context
    this.client = new GuardedClient(context.config)
  }

  /** Asks the source's site something. @throws Problem 503 when too many wait for it already, 502 when its settings are of no use */
  async ask<T>(source: SourceOf<'oauth2'>, question: (provider: Provider) => Promise<T>): Promise<T> {
    const known = this.#find(source)
    if (known.waiting >= MOST_WAITING)
      throw new Problem(503, `Too many sign-ins with ${source.name} are in progress. Try again in a moment.`, { headers: { 'Retry-After': '5' } })
    known.waiting++
    try {
      return await question(known.provider)
    } finally {
      known.waiting--
    }
  }

  /**
   * What may be reached for the source: the hosts that its administrator named even on this machine, what those lead to as people's own
   * addresses may; DESIGN.md, decision 16.
   */
  policyOf(source: SourceOf<'oauth2'>): (url: URL) => HostList {
    const named = parseHostList(['external', 'private', 'loopback'])
    const others = isReachedFromElsewhere(this.#context.config.server) ? parseHostList(['external', 'private']) : named
    return (url) => (this.isOfSource(source, url) ? named : others)
  }

  /** Whether its administrator named the host. */
  isOfSource({ config }: SourceOf<'oauth2'>, { origin }: URL): boolean {
    const settings = withTenant(config)
    return oauth2Addresses.some((name) => URL.parse(settings[name])?.origin === origin)
  }

  #find(source: SourceOf<'oauth2'>): Known {
    const settings = JSON.stringify(source.config)
    const known = this.#known.get(source.id)
    if (known?.settings === settings) return known
    const made = { provider: this.#make(source), settings, waiting: 0 }
    this.#known.set(source.id, made)
    return made
  }

  #make(given: SourceOf<'oauth2'>): Provider {
    const { clock, config } = this.#context
    const source = { ...given, config: withTenant(given.config) }
    const parts = { source, client: this.client, policy: this.policyOf(source), scopes: config.oauth2_client.OPENID_CONNECT_SCOPES, clock }
    return source.config.provider === 'openidConnect' ? new OpenIdProvider(parts) : new PlainProvider(parts, shapes[source.config.provider])
  }
}
