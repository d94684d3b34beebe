import { AccountFrame, Empty, Layout, PasswordField, SubmitButton, Time, Trouble, type Visit } from '#web/index.ts'
import type { Newcomer } from './newcomers.ts'
import { nameOf } from './recognise.ts'
import type { IdentityRow } from './store.ts'

export function TroublePage({ visit, message }: { visit: Visit; message: string }) {
  return (
    <Layout visit={visit} title="Sign-in failed">
      <section class="problem">
        <h1>Sign-in failed</h1>
        <p role="alert">{message}</p>
        <p>
          <a href={visit.to`/user/login`}>Sign in</a>
        </p>
      </section>
    </Layout>
  )
}

/** Another site to sign in at, as a link to it looks. */
export interface Elsewhere {
  name: string
  /** A `data:` URL; empty: none. */
  icon: string
}

/** Nothing is asked of other sites before one is chosen. */
export function SignInElsewhere({ visit, sources, redirectTo }: { visit: Visit; sources: readonly Elsewhere[]; redirectTo: string }) {
  return sources.length === 0 ? null : (
    <nav class="form" aria-label="Sign in with an external account">
      {sources.map(({ name, icon }) => (
        <a class="button" rel="nofollow" href={startAddress(visit, name, redirectTo)}>
          {icon !== '' && <img src={icon} alt="" width="16" height="16" />} Sign in with {name}
        </a>
      ))}
    </nav>
  )
}

function startAddress(visit: Visit, name: string, redirectTo: string): string {
  return `${visit.to`/user/oauth2`}/${encodeURIComponent(name)}?redirect_to=${encodeURIComponent(redirectTo)}`
}

interface NewcomerProps {
  visit: Visit
  newcomer: Newcomer
  /** What was typed, or what the source tells. */
  wished: { name: string; email: string }
  mayRegister: boolean
  isRecent: boolean
  error?: string
}

/** Whose account is it? One that is here, or a new one. */
export function NewcomerPage(props: NewcomerProps) {
  const { visit, newcomer, error } = props
  const { user } = visit.viewer
  return (
    <Layout visit={visit} title="Link account">
      <h1>Link account</h1>
      <p>
        You signed in with {newcomer.source.name} as <strong>{nameOf(newcomer.identity)}</strong>
        {newcomer.identity.email !== '' && ` (${newcomer.identity.email})`}. No account on this server is linked to it yet.
      </p>
      {newcomer.note !== '' && <p>{newcomer.note}</p>}
      <Trouble text={error} />
      {user ? <LinkForm {...props} name={user.name} /> : <ChoiceForms {...props} />}
    </Layout>
  )
}

function LinkForm({ visit, newcomer, isRecent, name }: NewcomerProps & { name: string }) {
  return (
    <form class="form" method="post" action={visit.to`/user/link_account`}>
      <h2>Link to the account {name}</h2>
      <p>
        Anyone who signs in with {newcomer.source.name} as {nameOf(newcomer.identity)} will be signed in here as <strong>{name}</strong>.
      </p>
      <PasswordField isAsked={!isRecent} />
      <SubmitButton>{`Link ${newcomer.source.name}`}</SubmitButton>
    </form>
  )
}

function ChoiceForms({ visit, wished, mayRegister }: NewcomerProps) {
  return (
    <>
      <form class="form" method="post" action={visit.to`/user/login`}>
        <h2>Link to an existing account</h2>
        <label>
          Username or email address
          <input name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <input type="hidden" name="redirect_to" value="/user/link_account" />
        <SubmitButton>Sign in and link account</SubmitButton>
      </form>
      {mayRegister ? (
        <form class="form" method="post" action={visit.to`/user/link_account_signup`}>
          <h2>Create a new account</h2>
          <label>
            Username <input name="user_name" value={wished.name} autocomplete="username" autocapitalize="none" spellcheck="false" required />
          </label>
          <label>
            Email address <input name="email" type="email" value={wished.email} autocomplete="email" />
          </label>
          <SubmitButton>Create account</SubmitButton>
        </form>
      ) : (
        <p>Registration with an external account is disabled. Ask a site administrator for an account.</p>
      )}
    </>
  )
}

/** An identity as its page shows it. */
export interface Linked extends IdentityRow {
  sourceName: string
  /** Why it cannot be taken away; undefined: it can. */
  kept: string | undefined
}

interface LinksProps {
  visit: Visit
  linked: readonly Linked[]
  /** Sources that can be linked. */
  sources: readonly Elsewhere[]
  isRecent: boolean
  error?: string
}

export function LinksPage({ visit, linked, sources, isRecent, error }: LinksProps) {
  const here = '/user/settings/account_links'
  return (
    <AccountFrame visit={visit} subject="links" title="Linked accounts">
      <Trouble text={error} />
      {linked.length === 0 && <Empty visit={visit} icon="link" title="No linked accounts" />}
      {linked.length > 0 && (
        <ul class="list">
          {linked.map((one) => (
            <li class="bar">
              <div>
                <strong>{one.sourceName}</strong> {one.name}
                <p class="faint">
                  last used <Time at={one.last_used_at} />
                  {one.kept !== undefined && `; ${one.kept}`}
                </p>
              </div>
              {one.kept === undefined && (
                <form method="post" action={visit.to`/user/settings/account_links/${one.id}/delete`}>
                  <PasswordField isAsked={!isRecent} />
                  <button type="submit">Unlink account</button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
      {sources.map(({ name }) => (
        <p>
          <a class="button" rel="nofollow" href={startAddress(visit, name, here)}>
            Link {name} account
          </a>
        </p>
      ))}
    </AccountFrame>
  )
}
