import { Elysia, type Static, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { oneOf, Time } from '#kernel/schema.ts'
import { blockName, freeName, userStore } from '#people/users/index.ts'

const ReservedName = t.Object(
  {
    name: t.String({ description: 'in lower case' }),
    reason: oneOf(['deleted', 'renamed', 'blocked']),
    leads_to: t.Nullable(t.String({ description: 'current name of the renamed account' })),
    addresses: t.Array(t.String(), { description: 'reserved email addresses of the deleted account' }),
    created_at: Time,
  },
  { $id: 'ReservedName' },
)
const ReservedNameList = t.Array(ReservedName, { $id: 'ReservedNameList' })
const CreateReservedNameOption = t.Object({ name: t.String({ minLength: 1, maxLength: 40 }) }, { $id: 'CreateReservedNameOption' })
const NameParams = t.Object({ name: t.String({ maxLength: 40, description: 'the reserved name' }) })
const NamesQuery = t.Object({ ...PageQuery.properties, q: t.Optional(t.String({ maxLength: 255, description: 'part of the name' })) })

/** Names of deleted and renamed accounts, and blocked names. They protect registration and renames. */
export function reservedNames(context: Context) {
  return new Elysia({ name: 'admin.names' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/reserved_names',
      async ({ viewer, query, page, total }) => {
        const found = await userStore.searchReservedNames(context.db, viewer, query.q?.trim() ?? '', page)
        total(found.total)
        return found.rows.map(presentName)
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: NamesQuery,
        response: { 200: ReservedNameList },
        detail: operation('adminListReservedNames', 'List the reserved names', 'admin'),
      },
    )
    .post('/admin/reserved_names', ({ body }) => presentName(blockName(context, body.name)), {
      siteAdmin: 'admin',
      body: CreateReservedNameOption,
      response: { 201: ReservedName },
      detail: operation('adminReserveName', 'Reserve a name', 'admin'),
    })
    .delete('/admin/reserved_names/:name', ({ params }) => void freeName(context, params.name), {
      siteAdmin: 'admin',
      params: NameParams,
      response: noContent,
      detail: operation('adminReleaseName', 'Release a reserved name and the email addresses of the deleted account', 'admin'),
    })
}

function presentName(row: userStore.ReservedNameRow): Static<typeof ReservedName> {
  return {
    name: row.lower_name,
    reason: row.reason,
    leads_to: row.leads_to,
    addresses: row.addresses?.split(' ') ?? [],
    created_at: rfc3339(row.created_at),
  }
}
