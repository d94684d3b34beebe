export { canSeeAccount, findAccount, getAccount, refuseBlocked } from './accounts.ts'
export { findFirstAdministrator, isBlocked, knownFellows, visibleAccounts } from './accounts-store.ts'
export { actingAlone, actingViewers } from './acting.ts'
export { Answers } from './answers.ts'
export { AccountNotReady } from './authenticate.ts'
export { Bodies, MOST_SHOWN_AGAIN, paceOf } from './bodies.ts'
export { ClientAddresses, networkOf } from './client-address.ts'
export { type CrossOrigin, crossOriginOf } from './cors.ts'
export { decorate } from './decorate.ts'
export { type Done, DoneNotes } from './done-notes.ts'
export { gate, gateTerms } from './gate.ts'
export { isRepoGone } from './gated.ts'
export { gitProblem } from './git-problem.ts'
export { findStoreById, isWikiId, unitOfStore, wikiBranchOf, wikiIdOf, wikiOf } from './git-stores.ts'
export { keepToOrigin } from './keep-to-origin.ts'
export { KeptPages, keptPage } from './kept-pages.ts'
export { LeakyBuckets } from './leaky-buckets.ts'
export { atLeast, higher, type Level, levels, type Unit, units, usedUnits } from './levels.ts'
export { Losses, noteLoss } from './losses.ts'
export { MadeLately } from './made-lately.ts'
export { noContent, operation } from './operation.ts'
export { PageQuery, paging } from './paging.ts'
export { IdText, OrgParams, PersonParams, RepoParams, TeamParams } from './params.ts'
export type { PasswordSources } from './password-source.ts'
export { hashPassword, verifyPassword } from './passwords.ts'
export {
  canSee,
  canSeeOrg,
  canSeeUser,
  disabledUnits,
  explainLevel,
  isSeenBy,
  mayCreateOrgs,
  mayCreateRepoIn,
  type Permission,
  permissionIn,
  permissionsIn,
  type Reason,
} from './permissions.ts'
export { PlayedViewers } from './played-viewers.ts'
export { mayBePrincipal } from './principals.ts'
export type { ProxyPerson } from './proxy-accounts.ts'
export { recheckAccount, recheckRepo } from './recheck.ts'
export { RepositoryMeta } from './repository-meta.ts'
export {
  holdsScope,
  mustSignIn,
  readsPublicOrgsOnly,
  readsPublicReposOnly,
  refuseArchived,
  refuseHiding,
  refuseMaking,
  requireLevel,
  requireNamed,
  requireScope,
  requireUser,
} from './requirements.ts'
export type { RepoRow, TeamRow, TokenRow, UserRow, Visibility } from './rows.ts'
export { type Category, categories, covers, findScopeBeyondRepos, type Grant, isNamedBy, listScopes, normalizeScopes, parseGrant } from './scopes.ts'
export { listSeenAccounts } from './seen-accounts-store.ts'
export { SessionCookie } from './session-cookie.ts'
export type { SessionRow } from './session-store.ts'
export { credentialOf, forgetting } from './sessions.ts'
export type { AccessTokenSource } from './sign-in-plugs.ts'
export * as accessStore from './store.ts'
export {
  accessTo,
  accessToAll,
  findKnownTeam,
  findVisibleRepo,
  followRepo,
  getNamed,
  getRepo,
  knowsTeam,
  type OrgAccess,
  orgAccess,
  type RepoAccess,
  type TeamAccess,
  teamsKnownTo,
} from './targets.ts'
export { stateTerms, type Terms, termsOf } from './terms.ts'
export { listTokenRepos, type TokenRepoRow } from './token-repos-store.ts'
export { unlessLost } from './unless-lost.ts'
export { anonymous, isSelf, isSiteAdmin, lineOf, type Member, maySignIn, type Viewer } from './viewer.ts'
export { contributedBy, grantedTo, isPublic, reachedByTeam, readableBy, visibleTo } from './visibility-store.ts'
