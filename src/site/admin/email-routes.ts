import { Elysia } from 'elysia'
import { gate, lineOf, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { DeleteEmailOption, EmailList, listEmails, presentEmail, removeEmails, searchEmails } from '#people/users/index.ts'
import { getTargetPerson, Username } from './people.ts'
import { EmailSearchQuery } from './schema.ts'

/** The addresses of all accounts, and of one. */
export function addresses(context: Context) {
  return new Elysia({ name: 'admin.emails' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/emails',
      async ({ viewer, page, total }) => {
        const found = await searchEmails(context.db, lineOf(viewer), '', page)
        total(found.total)
        return found.rows.map((row) => presentEmail(row, row.username))
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: PageQuery,
        response: { 200: EmailList },
        detail: operation('adminGetAllEmails', "List all users' email addresses", 'admin'),
      },
    )
    .get(
      '/admin/emails/search',
      async ({ viewer, query, page, total }) => {
        const found = await searchEmails(context.db, lineOf(viewer), query.q?.trim() ?? '', page)
        total(found.total)
        return found.rows.map((row) => presentEmail(row, row.username))
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: EmailSearchQuery,
        response: { 200: EmailList },
        detail: operation('adminSearchEmails', "Search users' email addresses", 'admin'),
      },
    )
    .get(
      '/admin/users/:username/emails',
      ({ viewer, params, request }) => {
        const person = getTargetPerson(context.db, { viewer, params, request })
        return listEmails(context.db, person.id).map((row) => presentEmail(row, person.name))
      },
      {
        siteAdmin: 'admin',
        params: Username,
        response: { 200: EmailList },
        detail: operation('adminListUserEmails', "List a user's email addresses", 'admin'),
      },
    )
    .delete(
      '/admin/users/:username/emails',
      ({ viewer, params, body, request }) => {
        const person = getTargetPerson(context.db, { viewer, params, request })
        context.db.tx((tx) => removeEmails(tx, person, body.emails ?? []))
      },
      {
        siteAdmin: 'admin',
        params: Username,
        body: DeleteEmailOption,
        response: noContent,
        detail: operation('adminDeleteUserEmails', "Delete a user's email addresses", 'admin'),
      },
    )
}
