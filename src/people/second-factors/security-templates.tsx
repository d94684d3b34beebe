import { AccountFrame, PasswordField, SubmitButton, Time, Trouble, type Visit } from '#web/index.ts'
import { type Asked, scriptAddress } from './ceremony-form.tsx'
import type { TotpOffer } from './change-totp.ts'
import type { SecurityKeyRow } from './key-store.ts'
import { KeysSection } from './key-templates.tsx'
import { QrCode } from './qr-code.tsx'
import type { FactorCounts, TotpRow } from './store.ts'

interface SecurityProps {
  visit: Visit
  factors: FactorCounts
  totp: TotpRow | undefined
  keys: readonly SecurityKeyRow[]
  newKey: Asked
  isPasswordAsked: boolean
  error: string | undefined
}

export function SecurityPage({ visit, factors, totp, keys, newKey, isPasswordAsked, error }: SecurityProps) {
  const hasFactor = factors.totp + factors.keys > 0
  return (
    <AccountFrame visit={visit} subject="security" title="Security" script={scriptAddress(visit)}>
      <Trouble text={error} />
      {!hasFactor && <p>Your password alone signs in. A second factor keeps out who has found it out.</p>}
      <AppSection visit={visit} totp={totp} isPasswordAsked={isPasswordAsked} />
      <KeysSection visit={visit} keys={keys} newKey={newKey} isPasswordAsked={isPasswordAsked} />
      {hasFactor && <CodesSection visit={visit} left={factors.recovery_codes} isPasswordAsked={isPasswordAsked} />}
    </AccountFrame>
  )
}

function AppSection({ visit, totp, isPasswordAsked }: { visit: Visit; totp: TotpRow | undefined; isPasswordAsked: boolean }) {
  const address = visit.to`/user/settings/security/two_factor`
  return (
    <section aria-labelledby="app">
      <h2 id="app">Authenticator app</h2>
      {totp ? (
        <>
          <p>
            {'Its codes are asked for at each sign-in, since '}
            <Time at={totp.created_at} />.
          </p>
          <details>
            <summary>Remove the app</summary>
            <form class="fields" method="post" action={`${address}/disable`}>
              <PasswordField isAsked={isPasswordAsked} />
              <div>
                <button class="danger" type="submit">
                  Remove the app
                </button>
              </div>
            </form>
          </details>
        </>
      ) : (
        <>
          <p>An app on your phone shows a code that changes every half minute.</p>
          <p>
            <a class="button" href={`${address}/enroll`}>
              Set up an app
            </a>
          </p>
        </>
      )}
    </section>
  )
}

function CodesSection({ visit, left, isPasswordAsked }: { visit: Visit; left: number; isPasswordAsked: boolean }) {
  return (
    <section aria-labelledby="codes">
      <h2 id="codes">Recovery codes</h2>
      <p>{left === 1 ? 'One code is left.' : `${left} codes are left.`} Each signs in once, in place of the app or a key.</p>
      <details>
        <summary>Make new codes</summary>
        <form class="fields" method="post" action={visit.to`/user/settings/security/two_factor/regenerate_scratch`}>
          <p>Those that you have now will not be taken any more.</p>
          <PasswordField isAsked={isPasswordAsked} />
          <SubmitButton>Make new codes</SubmitButton>
        </form>
      </details>
    </section>
  )
}

interface EnrolProps {
  visit: Visit
  offer: TotpOffer
  isPasswordAsked: boolean
  error: string | undefined
}

export function EnrolPage({ visit, offer, isPasswordAsked, error }: EnrolProps) {
  return (
    <AccountFrame visit={visit} subject="security" title="Set up an authenticator app">
      <Trouble text={error} />
      <form class="fields" method="post" action={visit.to`/user/settings/security/two_factor/enroll`}>
        <p>Scan this with the app, or type the secret into it.</p>
        <QrCode text={offer.address} label="The secret as a QR code" />
        <dl>
          <dt>Secret</dt>
          <dd>
            <code>{offer.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
          </dd>
          <dt>Address</dt>
          <dd>
            <code>{offer.address}</code>
          </dd>
        </dl>
        <input type="hidden" name="offer" value={offer.sealed} />
        <label>
          The code that the app shows now
          <input name="passcode" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required />
        </label>
        <PasswordField isAsked={isPasswordAsked} />
        <SubmitButton>Confirm</SubmitButton>
      </form>
    </AccountFrame>
  )
}

/** The one time that they are shown. */
export function CodesPage({ visit, codes }: { visit: Visit; codes: readonly string[] }) {
  return (
    <AccountFrame visit={visit} subject="security" title="Your recovery codes">
      <section class="written" aria-label="Recovery codes">
        <p>Each of these signs you in once when the app or the key is lost. Keep them where those are not: they are not shown again.</p>
        <pre>{codes.join('\n')}</pre>
      </section>
      <p>
        <a class="button" href={visit.to`/user/settings/security`}>
          I have kept them
        </a>
      </p>
    </AccountFrame>
  )
}
