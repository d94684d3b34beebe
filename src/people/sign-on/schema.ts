import { t } from 'elysia'

const password = t.Optional(t.String({ maxLength: 1024 }))

export const SourceParams = t.Object({ name: t.String({ maxLength: 255 }) })
export const StartQuery = t.Object({ redirect_to: t.Optional(t.String()) })
export const LinkForm = t.Object({ password })
export const NewcomerForm = t.Object({ user_name: t.String({ maxLength: 255 }), email: t.Optional(t.String({ maxLength: 254 })) })
