import { accessStore, type UserRow } from '#access/index.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { refuseTakenName, type UserContext } from './create-user.ts'
import { checkName } from './names.ts'
import { findLeftName, releaseName, reserveName, updateUser } from './store.ts'

/**
 * Gives an account another name. The old one leads to it from now on, and nobody else can take it.
 * @throws Unprocessable on a name that is malformed, reserved or taken
 */
export function renameUser(context: UserContext, user: UserRow, name: string): void {
  checkName(name, context.config)
  const now = context.clock.seconds()
  context.db.tx((tx) => {
    const present = accessStore.findUserById(tx, user.id)
    if (!present) throw new Unprocessable(`user does not exist [uid: ${user.id}]`)
    const sameLetters = name.toLowerCase() === present.lower_name
    if (findLeftName(tx, name) === user.id) releaseName(tx, name)
    if (!sameLetters) refuseTakenName(tx, name)
    updateUser(tx, user.id, { name, lower_name: name.toLowerCase(), updated_at: now })
    if (!sameLetters) reserveName(tx, present.name, 'renamed', user.id, now)
  })
}
