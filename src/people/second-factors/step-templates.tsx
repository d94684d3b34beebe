import { Layout, Trouble, type Visit } from '#web/index.ts'
import { type Asked, CeremonyForm, scriptAddress } from './ceremony-form.tsx'
import type { FactorCounts } from './store.ts'

interface StepProps {
  visit: Visit
  /** Whose password was right. */
  name: string
  factors: FactorCounts
  /** Undefined when no key of the account's can be used here. */
  keys: Asked | undefined
  error: string | undefined
}

/** Asks for what the account has besides its password. */
export function StepPage({ visit, name, factors, keys, error }: StepProps) {
  return (
    <Layout visit={visit} title="Two-factor authentication" script={keys && scriptAddress(visit)}>
      <div class="form">
        <h1>Two-factor authentication</h1>
        <p>
          Confirm your sign-in as <strong>{name}</strong> with your second factor.
        </p>
        <Trouble text={error} />
        {keys && <CeremonyForm kind="get" action={visit.to`/user/webauthn`} asked={keys} button="Use a security key" />}
        {factors.keys > 0 && !keys && <p>Your security keys were registered at a different address of this server and work only there.</p>}
        {factors.totp > 0 && <CodeForm visit={visit} />}
        {factors.recovery_codes > 0 && <RecoveryForm visit={visit} />}
        <p>
          <a href={visit.to`/user/login`}>Sign in with a different account</a>
        </p>
      </div>
    </Layout>
  )
}

function CodeForm({ visit }: { visit: Visit }) {
  return (
    <form class="fields" method="post" action={visit.to`/user/two_factor`}>
      <label>
        Code from your authenticator app
        <input name="passcode" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required autofocus />
      </label>
      <button class="primary" type="submit">
        Sign in
      </button>
    </form>
  )
}

function RecoveryForm({ visit }: { visit: Visit }) {
  return (
    <details>
      <summary>Use a recovery code</summary>
      <form class="fields" method="post" action={visit.to`/user/two_factor/scratch`}>
        <label>
          Recovery code
          <input name="scratch_code" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="40" required />
        </label>
        <button type="submit">Sign in</button>
      </form>
    </details>
  )
}

/** It took too long, there were too many wrong codes, or the password was changed. */
export function StepOverPage({ visit }: { visit: Visit }) {
  return (
    <Layout visit={visit} title="Sign in again">
      <div class="form">
        <h1>Sign in again</h1>
        <p>The sign-in has expired, or too many incorrect codes were entered.</p>
        <p>
          <a href={visit.to`/user/login`}>Sign in</a>
        </p>
      </div>
    </Layout>
  )
}
