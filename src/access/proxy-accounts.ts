import type { UserRow } from './rows.ts'

/** Somebody as a trusted proxy tells of them. */
export interface ProxyPerson {
  name: string
  email: string | undefined
  fullName: string | undefined
}

/** Makes accounts for people whom a trusted proxy has signed in. The room of accounts puts itself here. */
export interface ProxyAccounts {
  /** The account that was made, or that somebody made meanwhile. @throws Forbidden when there can be none of this name or address */
  register(person: ProxyPerson): Promise<UserRow>
}
