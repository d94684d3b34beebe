import { accessStore, type ProxyPerson, type UserRow } from '#access/index.ts'
import { Forbidden, Problem } from '#kernel/errors.ts'
import { createUserWithoutPassword, type UserContext } from './create-user.ts'

/**
 * Makes the account of somebody whom a trusted proxy has signed in, without a password. Two first requests at once make one.
 * @throws Forbidden when there can be no account of this name or address
 */
export function registerByProxy(context: UserContext, { name, email, fullName }: ProxyPerson): UserRow {
  try {
    return context.db.tx((tx) => {
      const found = accessStore.findUserByName(tx, name)
      if (found?.kind === 'person') return found
      return createUserWithoutPassword(context, tx, { username: name, email: email ?? `${crypto.randomUUID()}@localhost`, fullName })
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Forbidden(`Cannot create an account for the user that the proxy authenticated: ${error.message}`, { cause: error })
  }
}
