import { Elysia } from 'elysia'
import { gate, noContent, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { addEmails, removeEmails } from './change-emails.ts'
import { listEmails } from './emails-store.ts'
import { CreateEmailOption, DeleteEmailOption, EmailList } from './schema.ts'
import { presentEmails } from './view.ts'

/**
 * The signed-in user's e-mail addresses. One that is added stands for its user nowhere until
 * it is verified: by the link that it is mailed, or by an administrator, who gives it to an account with `PATCH /admin/users/{username}`
 * as `email`, as Gitea's clients know it; it is the primary one then, and the former one stays verified.
 */
export function emails(context: Context) {
  return new Elysia({ name: 'users.emails' })
    .use(gate(context))
    .get('/user/emails', ({ viewer }) => presentEmails(listEmails(context.db, viewer.user.id), viewer.user), {
      signedIn: 'user',
      response: { 200: EmailList },
      detail: operation('userListEmails', "List the authenticated user's email addresses", 'user'),
    })
    .post(
      '/user/emails',
      ({ viewer, body }) => {
        context.db.tx((tx) => addEmails(context, tx, viewer.user, body.emails ?? []))
        return presentEmails(listEmails(context.db, viewer.user.id), viewer.user)
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
