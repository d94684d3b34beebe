export { makeToken, showTokens } from './answer-tokens.ts'
export { addEmails, removeEmails } from './change-emails.ts'
export { changeOwnPassword, changePassword } from './change-password.ts'
export { createToken, deleteToken } from './change-tokens.ts'
export {
  claimAccount,
  createUser,
  createUserWithoutPassword,
  hashNewPassword,
  moveClaim,
  type NewUser,
  refuseTakenName,
  type UserContext,
} from './create-user.ts'
export { checkWebsite } from './edit-settings.ts'
export { listEmails, searchEmails } from './emails-store.ts'
export { ghost } from './ghost.ts'
export { gitIdentity } from './git-identity.ts'
export { checkEmail, checkName } from './names.ts'
export { vouchForEmail } from './prove-email.ts'
export { renameUser } from './rename-user.ts'
export { blockName, freeName } from './reserved-names.ts'
export { users } from './routes.ts'
export { mayReleaseNames } from './rules.ts'
export {
  AccessToken,
  AccessTokenList,
  CreateAccessTokenOption,
  DeleteEmailOption,
  EmailList,
  User,
  UserList,
  VisibilityName,
  VisibilityOrEmpty,
  visibilities,
} from './schema.ts'
export * as userStore from './store.ts'
export { listEverybody, listPeople as listUsers } from './store.ts'
export { placeholderEmail, presentEmail, presentUser, type UserRecord } from './view.ts'
