import type { SessionRow } from '#access/index.ts'
import { PasskeyForm, scriptAddress } from '#people/second-factors/index.ts'
import { type Elsewhere, SignInElsewhere } from '#people/sign-on/index.ts'
import { AccountFrame, Layout, Time, Trouble, type Visit } from '#web/index.ts'

interface SignInProps {
  visit: Visit
  /** Other sites to sign in at. */
  elsewhere: readonly Elsewhere[]
  /** What was typed, when it was wrong. */
  name?: string
  redirectTo: string
  error?: string
  takesPasskeys: boolean
  others: OtherWays
}

/** What who cannot sign in can do about it here. */
export interface OtherWays {
  registers: boolean
  activates: boolean
  recovers: boolean
}

export function SignInPage({ visit, elsewhere, name = '', redirectTo, error, takesPasskeys, others }: SignInProps) {
  return (
    <Layout visit={visit} title="Sign in" script={takesPasskeys ? scriptAddress(visit) : undefined}>
      <form class="form" method="post" action={visit.to`/user/login`}>
        <h1>Sign in</h1>
        <Trouble text={error} />
        <label>
          Username or email address
          <input name="user_name" value={name} autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus={name === ''} />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <input type="hidden" name="redirect_to" value={redirectTo} />
        <button class="primary" type="submit">
          Sign in
        </button>
      </form>
      {takesPasskeys && <PasskeyForm visit={visit} redirectTo={redirectTo} />}
      <SignInElsewhere visit={visit} sources={elsewhere} redirectTo={redirectTo} />
      <OtherWaysList visit={visit} others={others} />
    </Layout>
  )
}

function OtherWaysList({ visit, others: { registers, activates, recovers } }: { visit: Visit; others: OtherWays }) {
  if (!registers && !recovers) return null
  return (
    <ul>
      {recovers && (
        <li>
          <a href={visit.to`/user/forgot_password`}>Forgot password?</a>
        </li>
      )}
      {registers && (
        <li>
          <a href={visit.to`/user/sign_up`}>Create an account</a>
        </li>
      )}
      {activates && (
        <li>
          <a href={visit.to`/user/activate`}>Resend activation email</a>
        </li>
      )}
    </ul>
  )
}

/** The picture, which shows nothing, has the browser forget the page that it has just left as well. */
export function SignedOutPage({ visit }: { visit: Visit }) {
  return (
    <Layout visit={visit} title="Signed out">
      <div class="form">
        <h1>You are signed out</h1>
        <p>
          <a href={visit.to`/user/login`}>Sign in again</a>, or <a href={visit.to`/`}>browse public repositories</a>.
        </p>
        <img src={visit.to`/user/signed_out/forget`} alt="" width="1" height="1" />
      </div>
    </Layout>
  )
}

/** What the link of the first start shows: reading it changes nothing, the button does. */
export function LinkPage({ visit, secret, name }: { visit: Visit; secret: string; name: string }) {
  return (
    <Layout visit={visit} title="Sign in">
      <form class="form" method="post" action={visit.to`/user/sign_in/${secret}`}>
        <h1>Sign in</h1>
        <p>
          This one-time link signs you in as <strong>{name}</strong>.
        </p>
        <button class="primary" type="submit">
          Sign in
        </button>
      </form>
    </Layout>
  )
}

export function PasswordPage({ visit, isForced, error }: { visit: Visit; isForced: boolean; error?: string }) {
  return (
    <Layout visit={visit} title="Change password">
      <form class="form" method="post" action={visit.to`/user/settings/change_password`}>
        <h1>Change password</h1>
        {isForced && <p>An administrator set your password. Choose a new one to continue.</p>}
        <Trouble text={error} />
        <label>
          Current password
          <input name="old_password" type="password" autocomplete="current-password" required />
        </label>
        <label>
          New password
          <input name="password" type="password" autocomplete="new-password" required />
        </label>
        <button class="primary" type="submit">
          Change password
        </button>
      </form>
    </Layout>
  )
}

interface SessionsProps {
  visit: Visit
  sessions: readonly SessionRow[]
  /** The one of this browser. */
  current: number | undefined
  nameBrowser(agent: string): string | undefined
}

export function SessionsPage({ visit, sessions, current, nameBrowser }: SessionsProps) {
  return (
    <AccountFrame visit={visit} subject="sessions" title="Sessions">
      <ul class="list">
        {sessions.map(({ id, address, user_agent, last_used_at }) => (
          <li class="bar">
            <div>
              <span title={user_agent}>{nameBrowser(user_agent) ?? (user_agent || 'Unknown browser')}</span>{' '}
              {id === current && <span class="mark">Current session</span>}
              <p class="faint">
                {`${address}, last used `}
                <Time at={last_used_at} />
              </p>
            </div>
            <form method="post" action={visit.to`/user/settings/sessions/${id}/delete`}>
              <button type="submit">Sign out</button>
            </form>
          </li>
        ))}
      </ul>
      <p>
        <a href={visit.to`/user/settings/change_password`}>Change password</a>
      </p>
    </AccountFrame>
  )
}
