export { type ConfigOf, LdapConfig, Oauth2Config, type SourceKind } from './config.ts'
export {
  accountName,
  createExternalUser,
  type ExternalContext,
  type ExternalPerson,
  type ExternalRights,
  refuseUnused,
  setRights,
} from './external-user.ts'
export { applyGroupMap, type GroupContext, type GroupMap, type GroupMemberships, parseGroupMap } from './group-map.ts'
export { findSource, listSources, type Source, type SourceContext, type SourceOf, skipsLocalTwoFactor } from './source.ts'
export { findSourceRow, findSourceRowByName, findUserOfSource, listSourceRows, type SourceRow } from './store.ts'
