import { Elysia, type Static, t } from 'elysia'
import { accessStore, gate, noContent, operation, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { Int } from '#kernel/schema.ts'
import { addUnverifiedEmail, listEmails, removeEmail } from './emails-store.ts'
import { checkEmail } from './names.ts'
import { type EmailRow, findEmail, isEmailReserved } from './store.ts'

/** An account may have as many addresses. */
const MAX_EMAILS = 50

const Email = t.Object({ email: t.String(), verified: t.Boolean(), primary: t.Boolean(), user_id: Int(), username: t.String() }, { $id: 'Email' })
export const EmailList = t.Array(Email, { $id: 'EmailList' })
const addresses = t.Optional(t.Array(t.String({ maxLength: 254 }), { maxItems: MAX_EMAILS }))
const CreateEmailOption = t.Object({ emails: addresses }, { $id: 'CreateEmailOption' })
export const DeleteEmailOption = t.Object({ emails: addresses }, { $id: 'DeleteEmailOption' })

/** The signed-in user's e-mail addresses. One that is added is not verified, stands for its user nowhere until it is, and goes to whom an administrator gives it. */
export function emails(context: Context) {
  return new Elysia({ name: 'users.emails' })
    .use(gate(context))
    .get('/user/emails', ({ viewer }) => present(listEmails(context.db, viewer.user.id), viewer.user), {
      signedIn: 'user',
      response: { 200: EmailList },
      detail: operation('userListEmails', "List the authenticated user's email addresses", 'user'),
    })
    .post(
      '/user/emails',
      ({ viewer, body }) => {
        context.db.tx((tx) => addEmails(tx, viewer.user, body.emails ?? []))
        return present(listEmails(context.db, viewer.user.id), viewer.user)
      },
      {
        signedIn: 'user',
        body: CreateEmailOption,
        response: { 201: EmailList },
        detail: operation('userAddEmail', 'Add email addresses', 'user'),
      },
    )
    .delete('/user/emails', ({ viewer, body }) => context.db.tx((tx) => removeEmails(tx, viewer.user, body.emails ?? [])), {
      signedIn: 'user',
      body: DeleteEmailOption,
      response: noContent,
      detail: operation('userDeleteEmail', "Delete email addresses from a user's account", 'user'),
    })
}

/** @throws Unprocessable when one is not an address, or taken, or one too many; then none is added */
function addEmails(tx: Tx, user: UserRow, asked: readonly string[]): void {
  const wanted = distinct(asked)
  if (wanted.size === 0) throw new Unprocessable('Email list empty')
  for (const email of wanted.values()) {
    checkEmail(email)
    if (accessStore.findUserByEmail(tx, email) || findEmail(tx, user.id, email)) throw new Unprocessable(`e-mail already in use [email: ${email}]`)
    if (isEmailReserved(tx, email)) throw new Unprocessable(`e-mail is reserved [email: ${email}]`)
    addUnverifiedEmail(tx, user.id, email)
  }
  if (listEmails(tx, user.id).length > MAX_EMAILS) throw new Unprocessable(`Cannot add the addresses: an account has at most ${MAX_EMAILS}`)
}

/** @throws NotFound when one is not the user's, whoever else's it is; Unprocessable when one is the primary one; then none is removed */
export function removeEmails(tx: Tx, user: UserRow, asked: readonly string[]): void {
  for (const email of distinct(asked).values()) {
    const row = findEmail(tx, user.id, email)
    if (!row) throw new NotFound(`e-mail address does not exist [email: ${email}]`)
    if (row.is_primary === 1) throw new Unprocessable(`Cannot delete ${email}: it is the primary address`)
    removeEmail(tx, row.id)
  }
}

/** By the address in small letters. */
function distinct(asked: readonly string[]): Map<string, string> {
  return new Map(asked.map((email) => [email.trim().toLowerCase(), email.trim()]))
}

export function presentEmail(row: EmailRow, username: string): Static<typeof Email> {
  return { email: row.email, verified: row.is_verified === 1, primary: row.is_primary === 1, user_id: row.user_id, username }
}

function present(rows: readonly EmailRow[], user: UserRow) {
  return rows.map((row) => presentEmail(row, user.name))
}
