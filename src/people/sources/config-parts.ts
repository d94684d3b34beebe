import { t } from 'elysia'

export const text = (description: string, maxLength = 255) => t.String({ description, maxLength })
export const flag = (description: string) => t.Boolean({ description })

/** A JSON object `{"group": {"organization": ["team"]}}`. */
export const GroupTeamMap = text('teams for each group, as JSON: {"group": {"organization": ["team"]}}', 65_536)
export const GroupTeamMapRemoval = flag('remove users from the teams in the map when they are in none of the groups')

export const Authorities = text('CA certificates to trust, in PEM format; empty: the default CAs', 65_536)
