import type { Context } from '#context.ts'
import { type FoundPerson, SourceUnavailable } from './found.ts'
import { Pam } from './pam.ts'
import { signInBySmtp } from './smtp.ts'
import type { Source } from './source.ts'

/** So many sign-ins may be under way at one source: a slow one must not take the places of the others. */
const AT_ONCE = 8

/** The sources that are being asked. */
export class Asking {
  readonly #underWay = new Map<number, number>()

  /** @throws SourceUnavailable when too many are being asked there already */
  async at<T>(sourceId: number, ask: () => Promise<T>): Promise<T> {
    const count = this.#underWay.get(sourceId) ?? 0
    if (count >= AT_ONCE) throw new SourceUnavailable('Too many sign-ins are in progress at this source')
    this.#underWay.set(sourceId, count + 1)
    try {
      return await ask()
    } finally {
      const left = (this.#underWay.get(sourceId) ?? 1) - 1
      if (left > 0) this.#underWay.set(sourceId, left)
      else this.#underWay.delete(sourceId)
    }
  }
}

/**
 * Asks a source whether somebody has this password there, in the time that it is given. Undefined when it says no.
 * @throws SourceUnavailable when it cannot be asked
 */
export function askSource(context: Pick<Context, 'config' | 'services'>, source: Source, name: string, password: string): Promise<FoundPerson | undefined> {
  if (!isAskable(name, password)) return Promise.resolve(undefined)
  return context.services.get(Asking).at(source.id, () => askOfKind(context, source, name, password))
}

/** Neither an empty password, which directories take for a visitor's, nor what would end a text, or begin another, on its way. */
function isAskable(name: string, password: string): boolean {
  return password !== '' && !password.includes('\0') && name.length <= 254 && !/^$|[\0-\x1f\x7f]/.test(name)
}

async function askOfKind(context: Pick<Context, 'config' | 'services'>, source: Source, name: string, password: string): Promise<FoundPerson | undefined> {
  if (source.kind === 'oauth2') return undefined
  if (source.kind === 'pam') return context.services.get(Pam).signIn(source.config, name, password)
  const signal = AbortSignal.timeout(source.config.timeout_seconds * 1000)
  if (source.kind === 'smtp') return signInBySmtp(context.config, source.config, name, password, signal)
  const { signInByLdap } = await import('./ldap/sign-in.ts')
  return signInByLdap(context.config, source.config, name, password, signal)
}
