import { t } from 'elysia'

/** A row's id in a path or query: a text, since what is no id names no row and is answered 404, not 422; read with `rowIdIn`. */
export const IdText = (description: string) => t.String({ documentedAs: 'integer', description })

/** Path parameters that rooms share; a room adds its own to their `properties`. */
export const RepoParams = t.Object({ owner: t.String({ description: 'Owner of the repository' }), repo: t.String({ description: 'Name of the repository' }) })
export const OrgParams = t.Object({ org: t.String({ description: 'Name of the organization' }) })
export const PersonParams = t.Object({ username: t.String({ description: 'Username of the user' }) })
export const TeamParams = t.Object({ id: IdText('ID of the team') })
