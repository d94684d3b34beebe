import { t } from 'elysia'

const Password = t.Optional(t.String({ maxLength: 1024 }))
/** What the page was given for the form to bring back, sealed. */
const Sealed = t.String({ maxLength: 2000 })
/** What the browser made of an authenticator's answer, as JSON. */
const Credential = t.String({ maxLength: 32_768 })

export const CodeForm = t.Object({ passcode: t.String({ maxLength: 100 }) })
export const RecoveryForm = t.Object({ scratch_code: t.String({ maxLength: 100 }) })
export const AssertionForm = t.Object({ challenge: Sealed, credential: Credential })
/** On the sign-in page, where the person says not even who they are. */
export const PasskeyAnswer = t.Object({ challenge: Sealed, credential: Credential, redirect_to: t.Optional(t.String({ maxLength: 4096 })) })

export const PasswordForm = t.Object({ password: Password })
export const EnrolForm = t.Object({ offer: Sealed, passcode: t.String({ maxLength: 100 }), password: Password })
export const KeyForm = t.Object({ name: t.String({ maxLength: 100 }), challenge: Sealed, credential: Credential, password: Password })
export const KeyNameForm = t.Object({ name: t.String({ maxLength: 100 }) })
