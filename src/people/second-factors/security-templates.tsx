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
      {!hasFactor && <p>Two-factor authentication is not enabled. A second factor protects your account if someone learns your password.</p>}
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
            {'Enter a code from the app when you sign in. Added '}
            <Time at={totp.created_at} />.
          </p>
          <details>
            <summary>Remove authenticator app</summary>
            <form class="fields" method="post" action={`${address}/disable`}>
              <PasswordField isAsked={isPasswordAsked} />
              <div>
                <button class="danger" type="submit">
                  Remove authenticator app
                </button>
              </div>
            </form>
          </details>
        </>
      ) : (
        <>
          <p>An authenticator app on your phone generates a new code every 30 seconds.</p>
          <p>
            <a class="button" href={`${address}/enroll`}>
              Set up authenticator app
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
      <p>{left === 1 ? '1 code left.' : `${left} codes left.`} Each code works once, instead of the authenticator app or a security key.</p>
      <details>
        <summary>Generate new codes</summary>
        <form class="fields" method="post" action={visit.to`/user/settings/security/two_factor/regenerate_scratch`}>
          <p>Your current codes stop working.</p>
          <PasswordField isAsked={isPasswordAsked} />
          <SubmitButton>Generate new codes</SubmitButton>
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
    <AccountFrame visit={visit} subject="security" title="Set up authenticator app">
      <Trouble text={error} />
      <form class="fields" method="post" action={visit.to`/user/settings/security/two_factor/enroll`}>
        <p>Scan the QR code with your authenticator app, or enter the secret in the app.</p>
        <QrCode text={offer.address} label="QR code of the secret" />
        <dl>
          <dt>Secret</dt>
          <dd>
            <code>{offer.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
          </dd>
          <dt>Setup URL</dt>
          <dd>
            <code>{offer.address}</code>
          </dd>
        </dl>
        <input type="hidden" name="offer" value={offer.sealed} />
        <label>
          Verification code
          <input name="passcode" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required />
        </label>
        <PasswordField isAsked={isPasswordAsked} />
        <SubmitButton>Enable authenticator app</SubmitButton>
      </form>
    </AccountFrame>
  )
}

/** The one time that they are shown. */
export function CodesPage({ visit, codes }: { visit: Visit; codes: readonly string[] }) {
  return (
    <AccountFrame visit={visit} subject="security" title="Recovery codes">
      <section class="written" aria-label="Recovery codes">
        <p>
          Use one of these codes to sign in if you lose your authenticator app or security key. Each code works once. Store them somewhere safe: they are not
          shown again.
        </p>
        <pre>{codes.join('\n')}</pre>
      </section>
      <p>
        <a class="button" href={visit.to`/user/settings/security`}>
          I have saved my recovery codes
        </a>
      </p>
    </AccountFrame>
  )
}
