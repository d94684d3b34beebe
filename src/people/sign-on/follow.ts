import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { replaceSourceKeys } from '#people/keys/index.ts'
import { applyGroupMap, type ExternalRights, type Oauth2Config, parseGroupMap, type SourceOf, setRights } from '#people/sources/index.ts'
import { userStore } from '#people/users/index.ts'
import { linesOf, textOf, textsOf } from './claims.ts'
import type { ExternalIdentity } from './protocol.ts'

const MAX_FULL_NAME = 100

/** Brings the account up to date with what its person's groups and claims decide. Whether it is active is not theirs to say. */
export function followSource(context: Context, tx: Tx, source: SourceOf<'oauth2'>, identity: ExternalIdentity, user: UserRow): void {
  const { config } = source
  if (config.ssh_public_key_claim_name !== '') replaceSourceKeys(context, tx, user, source, linesOf(identity.claims, config.ssh_public_key_claim_name))
  setRights(context, tx, user, rightsOf(config, identity))
  followName(context, tx, config, identity, user)
  if (config.group_claim_name === '' || config.group_team_map === '') return
  const groups = textsOf(identity.claims, config.group_claim_name)
  applyGroupMap(context, tx, user, { map: parseGroupMap(config.group_team_map), groups, removes: config.group_team_map_removal })
}

/** What the groups of a person make of them; a right that no group stands for is left alone. */
export function rightsOf(config: Oauth2Config, { claims }: ExternalIdentity): ExternalRights {
  const groups = new Set(textsOf(claims, config.group_claim_name))
  const says = (group: string) => (config.group_claim_name === '' || group === '' ? undefined : groups.has(group))
  return { isAdmin: says(config.admin_group), isRestricted: says(config.restricted_group) }
}

/** The name that the source has for people: where the account has none or, when the source names the claim for it, always. */
function followName({ clock }: Pick<Context, 'clock'>, tx: Tx, config: Oauth2Config, identity: ExternalIdentity, user: UserRow): void {
  const name = fullNameOf(config, identity)
  const isWanted = name !== '' && name !== user.full_name && (user.full_name === '' || config.full_name_claim_name !== '')
  if (isWanted) userStore.updateUser(tx, user.id, { full_name: name, updated_at: clock.seconds() })
}

export function fullNameOf(config: Oauth2Config, { claims, fullName }: ExternalIdentity): string {
  const name = config.full_name_claim_name === '' ? fullName : textOf(claims, config.full_name_claim_name)
  return name.slice(0, MAX_FULL_NAME)
}
