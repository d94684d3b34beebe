import { type Static, t } from 'elysia'
import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Int } from '#kernel/schema.ts'
import { countFactors } from '#people/second-factors/index.ts'
import { listSourceRows } from '#people/sources/index.ts'
import { countText, EditForm, PasswordField, Select, SubmitButton, TextField } from '#web/index.ts'

/** In place of a source's id: with a password that is kept here. */
const HERE = -1

export const PlaceForm = t.Object({
  source_id: Int(),
  login_name: t.Optional(t.String({ maxLength: 254 })),
  own_password: t.Optional(t.String({ maxLength: 1024 })),
})
export type PlaceForm = Static<typeof PlaceForm>

/** Where an account signs in, and with what besides a password. */
export interface SignInFacts {
  sources: readonly { id: number; name: string }[]
  keys: number
  hasApp: boolean
}

export function signInFacts({ db }: Pick<Context, 'db'>, person: UserRow): SignInFacts {
  const { totp, keys } = countFactors(db, person.id)
  return { sources: listSourceRows(db), keys, hasApp: totp > 0 }
}

interface Props {
  /** Of the account's page. */
  base: string
  person: UserRow
  facts: SignInFacts
  /** What was typed, when it was refused. */
  place: PlaceForm | undefined
  isAsked: boolean
}

/** How somebody signs in, and the forms by which an administrator changes that. */
export function SignInSection({ base, person, facts: { sources, keys, hasApp }, place, isAsked }: Props) {
  const known = place ?? { source_id: person.login_source || HERE, login_name: person.login_name }
  const options = [[String(HERE), 'Local (password)'] as const, ...sources.map(({ id, name }) => [String(id), name] as const)]
  const factors = [...(hasApp ? ['an authenticator app'] : []), ...(keys > 0 ? [countText(keys, 'security key')] : [])]
  return (
    <>
      {(sources.length > 0 || person.login_source !== 0) && (
        <>
          <h2>Authentication source</h2>
          <EditForm class="fields" action={`${base}/place`}>
            <Select name="source_id" label="Authentication source" options={options} selected={String(known.source_id)} />
            <TextField name="login_name" label="Name at the authentication source" value={known.login_name} most={254} isExact autocomplete="off" />
            <PasswordField name="own_password" isAsked={isAsked} />
            <SubmitButton>Change authentication source</SubmitButton>
          </EditForm>
        </>
      )}
      {(keys > 0 || hasApp) && (
        <>
          <h2>Two-factor authentication</h2>
          <form class="fields" method="post" action={`${base}/factors`}>
            <p>{`The user has ${factors.join(' and ')}. If you remove ${keys + Number(hasApp) === 1 ? 'it' : 'them'}, the password alone is enough to sign in. The user is notified by email.`}</p>
            <PasswordField name="own_password" isAsked={isAsked} />
            <SubmitButton isDanger>Disable two-factor authentication</SubmitButton>
          </form>
        </>
      )}
    </>
  )
}
