export { findAccount, getAccount, refuseBlocked } from './accounts.ts'
export { isBlocked, visibleAccounts } from './accounts-store.ts'
export { Authenticator } from './authenticate.ts'
export {
  findVisibleRepo,
  gate,
  gateTerms,
  getRepo,
  holdsScope,
  type Member,
  type OrgAccess,
  type RepoAccess,
  type RepoTerm,
  requireLevel,
  requireScope,
  requireUser,
  type TeamAccess,
  teamsKnownTo,
} from './gate.ts'
export { atLeast, higher, type Level, levels, type Unit, units } from './levels.ts'
export { hashPassword, verifyPassword } from './passwords.ts'
export { canSee, canSeeOrg, canSeeUser, disabledUnits, mayCreateRepoIn, type Permission, permissionIn } from './permissions.ts'
export type { RepoRow, TeamRow, TokenRow, UserRow, Visibility } from './rows.ts'
export { type Category, categories, covers, type Grant, listScopes, normalizeScopes, parseGrant } from './scopes.ts'
export * as accessStore from './store.ts'
export { stateTerms, type Terms, termsOf } from './terms.ts'
export { anonymous, isSelf, isSiteAdmin, type Viewer } from './viewer.ts'
