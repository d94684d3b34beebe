import { t } from 'elysia'

export const SignInForm = t.Object({
  user_name: t.String({ maxLength: 254 }),
  password: t.String({ maxLength: 1024 }),
  redirect_to: t.Optional(t.String({ maxLength: 4096 })),
})

export const ChangePasswordForm = t.Object({ old_password: t.String({ maxLength: 1024 }), password: t.String({ maxLength: 1024 }) })

export const ReturnQuery = t.Object({ redirect_to: t.Optional(t.String()) })
