import { accessStore, canSeeUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { presentUser, type UserRecord } from '#people/users/index.ts'

/** The accounts behind the addresses in commits, each looked up once. */
export class People {
  readonly #context: Pick<Context, 'db' | 'rootUrl'>
  readonly #viewer: Viewer
  readonly #known = new Map<string, UserRow | undefined>()

  constructor(context: Pick<Context, 'db' | 'rootUrl'>, viewer: Viewer) {
    this.#context = context
    this.#viewer = viewer
  }

  /** The account's record; null when there is none that the viewer may see. */
  record(email: string): UserRecord | null {
    const user = this.account(email)
    return user ? presentUser(this.#context, this.#viewer, user) : null
  }

  /** The account's name; '' when there is none that the viewer may see. */
  username(email: string): string {
    return this.account(email)?.name ?? ''
  }

  /** The account whose verified address this is, or whose placeholder; undefined when there is none that the viewer may see. */
  account(email: string): UserRow | undefined {
    const key = email.toLowerCase()
    if (!this.#known.has(key)) this.#known.set(key, this.#lookUp(key))
    return this.#known.get(key)
  }

  /** Looks up several at once, for a list that is about to ask for each. */
  meet(emails: readonly string[]): void {
    const unknown = [...new Set(emails.map((email) => email.toLowerCase()))].filter((email) => email !== '' && !this.#known.has(email))
    const found = new Map(accessStore.listUsersByEmail(this.#context.db, unknown).map((user) => [user.lower_email, user]))
    for (const email of unknown) {
      const user = found.get(email)
      // Placeholders are nobody's own address: each is looked up when it is asked for.
      if (user || !email.endsWith(placeholderEnd(this.#context))) this.#known.set(email, user && canSeeUser(this.#viewer, user) ? user : undefined)
    }
  }

  #lookUp(email: string): UserRow | undefined {
    const user = accountBehind(this.#context, email)
    return user && canSeeUser(this.#viewer, user) ? user : undefined
  }
}

/** The same, whoever may see the account. */
export function accountBehind({ db, rootUrl }: Pick<Context, 'db' | 'rootUrl'>, address: string): UserRow | undefined {
  const email = address.toLowerCase()
  if (email === '') return undefined
  const end = placeholderEnd({ rootUrl })
  return email.endsWith(end) ? behindPlaceholder(db, email.slice(0, -end.length)) : accessStore.findUserByEmail(db, email)
}

/** What addresses end with that stand for an account whose own is hidden. */
function placeholderEnd({ rootUrl }: Pick<Context, 'rootUrl'>): string {
  return `@noreply.${new URL(rootUrl).hostname}`
}

/** `5+ada`, which a new name does not change; `ada` in older commits. */
function behindPlaceholder(db: Db, local: string): UserRow | undefined {
  const id = /^(\d{1,15})\+/.exec(local)?.[1]
  const user = id === undefined ? accessStore.findUserByName(db, local) : accessStore.findUserById(db, Number(id))
  return user?.kind === 'person' ? user : undefined
}
