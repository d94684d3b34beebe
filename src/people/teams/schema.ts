import { t } from 'elysia'
import { PageQuery, TeamParams } from '#access/index.ts'
import { Int, oneOf, oneOfOrEmpty, wordList } from '#kernel/schema.ts'
import { Organization } from '#people/orgs/index.ts'
import { VisibilityName, VisibilityOrEmpty } from '#people/users/index.ts'

const UnitsMap = t.Record(t.String(), t.String())

export const Team = t.Object(
  {
    id: Int(),
    name: t.String(),
    description: t.String(),
    organization: Organization,
    includes_all_repositories: t.Boolean(),
    permission: oneOf(['none', 'read', 'write', 'admin', 'owner']),
    units: t.Array(t.String(), { description: 'units that the team can read or write, for example repo.code' }),
    units_map: UnitsMap,
    can_create_org_repo: t.Boolean(),
    visibility: VisibilityName,
  },
  { $id: 'Team' },
)

export const TeamList = t.Array(Team, { $id: 'TeamList' })
export const TeamSearchResults = t.Object({ ok: t.Boolean(), data: t.Array(Team) }, { $id: 'TeamSearchResults' })

const Name = t.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^(?!\\.+$)[-.\\w]+$',
  error: 'only letters, digits, "-", "_" and "." are allowed, at most 255 characters',
})
/** `none` and `owner` are what records show and nobody can ask for; who sends a record back has them in it. */
const askable = ['none', 'read', 'write', 'admin'] as const
const rights = {
  description: t.Optional(t.String({ maxLength: 255 })),
  includes_all_repositories: t.Optional(t.Boolean()),
  units: t.Optional(wordList(t.String({ maxLength: 50 }), { maxItems: 100 })),
  units_map: t.Optional(t.Record(t.String({ maxLength: 50 }), t.String({ maxLength: 50 }), { maxProperties: 100 })),
  can_create_org_repo: t.Optional(t.Boolean()),
  visibility: t.Optional(VisibilityOrEmpty),
}

export const CreateTeamOption = t.Object({ name: Name, permission: t.Optional(oneOfOrEmpty(askable)), ...rights }, { $id: 'CreateTeamOption' })
/** Gitea's documents call the name required, its server does not. */
export const EditTeamOption = t.Object(
  { name: t.Optional(Name), permission: t.Optional(oneOfOrEmpty([...askable, 'owner'])), ...rights },
  { $id: 'EditTeamOption' },
)

export const TeamMemberParams = t.Object({ ...TeamParams.properties, username: t.String({ description: 'username of the member' }) })

export const TeamSearchQuery = t.Object({
  ...PageQuery.properties,
  q: t.Optional(t.String({ maxLength: 255, description: 'keywords to search' })),
  include_desc: t.Optional(t.String({ description: 'include search within team description (defaults to true)' })),
})
