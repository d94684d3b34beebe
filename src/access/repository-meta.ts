import { t } from 'elysia'
import { Int } from '#kernel/schema.ts'

/** A repository where its names say enough. */
export const RepositoryMeta = t.Object({ id: Int(), name: t.String(), owner: t.String(), full_name: t.String() }, { $id: 'RepositoryMeta' })
