import type { Page } from '#kernel/page.ts'
import { Pager, PasswordField, SubmitButton, Time, Trouble, type Visit } from '#web/index.ts'
import type { PrincipalRow } from './principals-store.ts'

/** A page of them. */
export interface Principals {
  rows: readonly PrincipalRow[]
  page: Page
  total: number
}

interface Props {
  visit: Visit
  principals: Principals
  typed: string | undefined
  error: string | undefined
  isPasswordAsked: boolean
}

/** The names in certificates that stand for the account. */
export function PrincipalsSection({ visit, principals: { rows, page, total }, typed, error, isPasswordAsked }: Props) {
  const address = visit.to`/user/settings/keys/principals`
  return (
    <section aria-label="SSH certificate principals">
      <h2>SSH certificate principals</h2>
      <p class="faint">An SSH certificate for one of these principals, signed by a certificate authority that this server trusts, authenticates as you.</p>
      {rows.length > 0 && (
        <ul class="list">
          {rows.map(({ id, name, created_at }) => (
            <li class="bar">
              <div>
                <code>{name}</code>
                <p class="faint">
                  added <Time at={created_at} />
                </p>
              </div>
              <form method="post" action={`${address}/${id}/delete`}>
                <button class="danger" type="submit">
                  Delete
                </button>
              </form>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} name="names" />
      <form class="fields" method="post" action={address}>
        <Trouble text={error} />
        <label>
          Principal <input name="name" value={typed} maxlength="255" required />
        </label>
        <PasswordField isAsked={isPasswordAsked} />
        <SubmitButton>Add principal</SubmitButton>
      </form>
    </section>
  )
}
