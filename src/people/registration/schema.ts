import { t } from 'elysia'

const Password = t.String({ maxLength: 1024 })
const Code = t.String({ maxLength: 100 })
const Email = t.String({ maxLength: 254 })

export const SignUpForm = t.Object({ user_name: t.String({ maxLength: 100 }), email: Email, password: Password })

export const CodeQuery = t.Object({ code: t.Optional(Code) })

/** With a code: from the mail; without one: for another mail. */
export const ActivateForm = t.Object({
  code: t.Optional(Code),
  user_name: t.Optional(t.String({ maxLength: 254 })),
  password: Password,
  email: t.Optional(Email),
})

/** One address: a second one beside it is refused rather than chosen from. */
export const ForgotForm = t.Object({ email: t.Array(Email, { minItems: 1, maxItems: 1 }) })

export const RecoverForm = t.Object({ code: Code, password: Password, passcode: t.Optional(Code) })
