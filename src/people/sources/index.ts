export { type ConfigOf, LdapConfig, PamConfig, SmtpConfig, type SourceKind, secretMembers } from './config.ts'
export { accountName, createExternalUser, type ExternalRights, refuseUnused, setRights } from './external-user.ts'
export { applyGroupMap, parseGroupMap } from './group-map.ts'
export { Oauth2Config, oauth2Addresses, withTenant } from './oauth2-config.ts'
export { readOpenIdDocument } from './openid-document.ts'
export { findSource, getSource, listSources, type Source, type SourceOf } from './source.ts'
export { findSourceRow, findSourceRowByName, findUserOfSource, listSourceRows } from './store.ts'

/** What changes and tries out sources: it brings libraries that nobody else needs. */
export const management = () => import('./management.ts')
