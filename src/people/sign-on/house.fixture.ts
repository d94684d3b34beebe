import type { ConfigInput } from '#config.ts'
import type { ConfigOf } from '#people/sources/index.ts'
import { putSource } from '#people/sources/sources.fixture.ts'
import { listEverybody } from '#people/users/index.ts'
import { type TestForge, testForge } from '../../../test/harness.ts'
import { CLIENT, type OpenIdServer, type Person } from '../../../test/openid-server.ts'
import { Browser } from './browser.fixture.ts'

export const CALLBACK = 'http://localhost/user/oauth2/op/callback'
export const byItself: ConfigInput = { oauth2_client: { ENABLE_AUTO_REGISTRATION: true } }
export const openHouse: ConfigInput = { service: { DISABLE_REGISTRATION: false } }
export const grace = { sub: 'u1', nickname: 'grace', preferred_username: 'ghopper', email: 'grace@corp.example', email_verified: true, name: 'Grace Hopper' }

/** A forge whose source `op` is the provider. */
export interface House extends AsyncDisposable {
  forge: TestForge
  sourceId: number
  /** Goes to the provider as this person and comes back; in a browser of its own unless one is given. */
  signOn(person: Person | undefined, browser?: Browser, path?: string): Promise<{ browser: Browser; status: number; location: string; text: string }>
  /** The names of all people, in the order in which they came. */
  people(): string[]
}

export function openHouseOf(op: OpenIdServer, settings: ConfigInput = byItself, source: Partial<ConfigOf['oauth2']> = {}): House {
  const forge = testForge(settings)
  const sourceId = putSource(forge.context, 'oauth2', { ...CLIENT, discovery_url: op.discoveryUrl, ...source }, { name: 'op' })
  return {
    forge,
    sourceId,
    async signOn(person, browser = new Browser(forge), path = '/user/oauth2/op') {
      op.person = person
      const start = await browser.get(path)
      return { browser, ...(await browser.get(await op.visit(start.location))) }
    },
    people: () =>
      listEverybody(forge.context.db)
        .sort((a, b) => a.id - b.id)
        .map(({ name }) => name),
    [Symbol.asyncDispose]: () => forge[Symbol.asyncDispose](),
  }
}
