import { EditForm, PasswordField, Time, type Visit } from '#web/index.ts'
import { type Asked, CeremonyForm } from './ceremony-form.tsx'
import type { SecurityKeyRow } from './key-store.ts'

interface KeysProps {
  visit: Visit
  keys: readonly SecurityKeyRow[]
  newKey: Asked
  isPasswordAsked: boolean
}

/** The account's keys, and the form that adds one. */
export function KeysSection({ visit, keys, newKey, isPasswordAsked }: KeysProps) {
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Security keys and passkeys</h2>
      <p>
        Use a security key as a second factor after your password. A passkey, which verifies you by fingerprint, face or PIN, also signs you in without a
        password.
      </p>
      {keys.length > 0 && (
        <ul class="list">
          {keys.map((key) => (
            <KeyItem visit={visit} row={key} isPasswordAsked={isPasswordAsked} />
          ))}
        </ul>
      )}
      <CeremonyForm kind="create" action={visit.to`/user/settings/security/webauthn/register`} asked={newKey} button="Add security key">
        <label>
          Name of the new key
          <input name="name" maxlength="100" required />
        </label>
        <PasswordField isAsked={isPasswordAsked} />
      </CeremonyForm>
    </section>
  )
}

function KeyItem({
  visit,
  row: { id, name, rp_id, created_at, last_used_at },
  isPasswordAsked,
}: {
  visit: Visit
  row: SecurityKeyRow
  isPasswordAsked: boolean
}) {
  const address = visit.to`/user/settings/security/webauthn/${id}`
  return (
    <li>
      <strong>{name}</strong>
      <p class="faint">
        {`for ${rp_id}, added `}
        <Time at={created_at} />
        {last_used_at === null ? ', never used' : [', last used ', <Time at={last_used_at} />]}
      </p>
      <details>
        <summary>Rename or remove</summary>
        <EditForm class="search" action={`${address}/rename`}>
          <input name="name" value={name} aria-label={`New name for ${name}`} maxlength="100" required />
          <button type="submit">Rename</button>
        </EditForm>
        <form class="fields" method="post" action={`${address}/delete`}>
          <PasswordField isAsked={isPasswordAsked} />
          <div>
            <button class="danger" type="submit">
              Remove key
            </button>
          </div>
        </form>
      </details>
    </li>
  )
}
