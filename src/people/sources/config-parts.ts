import { t } from 'elysia'

export const text = (description: string, maxLength = 255) => t.String({ description, maxLength })
export const flag = (description: string) => t.Boolean({ description })

/** A JSON object `{"group": {"organization": ["team"]}}`. */
export const GroupTeamMap = text('JSON: {"group": {"organization": ["team"]}}; empty: none', 65_536)
export const GroupTeamMapRemoval = flag('whoever is in no group that leads to a team named in the map leaves it')

export const Authorities = text('certificates of authorities to trust in place of the usual ones, as PEM; empty: the usual ones', 65_536)
