import type { Context } from '#context.ts'
import { Layout, type Visit } from '#web/index.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { describeScopes } from './describe-scopes.ts'
import { Maker } from './maker.tsx'
import type { ApplicationRow } from './store.ts'

interface ConsentProps {
  context: Context
  visit: Visit
  asked: AuthorizationRequest
  /** What the request is made of. */
  fields: readonly (readonly [string, string])[]
}

/** Who asks, for what, and where the answer leads. */
export function ConsentPage({ context, visit, asked, fields }: ConsentProps) {
  const { client, redirectUri, scopes } = asked
  return (
    <Layout visit={visit} title={`Authorize ${client.name}?`}>
      <form class="form" method="post" action={visit.to`/login/oauth/grant`}>
        <h1>
          Authorize <strong>{client.name}</strong>?
        </h1>
        <div>
          <p>
            <Maker context={context} visit={visit} of={client} /> It requests access to your <strong>{visit.viewer.user?.name}</strong> account and will be able
            to:
          </p>
          <ul>
            {describeScopes(scopes).map((line) => (
              <li>{line}</li>
            ))}
          </ul>
          <p>
            You will be redirected to <Place uri={redirectUri} />. You can revoke access at any time in your settings.
          </p>
        </div>
        {fields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <div class="bar">
          <button class="primary" type="submit" name="granted" value="true">
            Authorize
          </button>
          <button type="submit" name="granted" value="false">
            Cancel
          </button>
        </div>
      </form>
    </Layout>
  )
}

/** What people can judge of an address. */
function Place({ uri }: { uri: string }) {
  const url = URL.parse(uri)
  if (url?.hostname === '127.0.0.1' || url?.hostname === '[::1]') return <>a program on your own computer</>
  return <code>{url ? `${url.protocol}//${url.host}` : uri}</code>
}

/** An application wants to be certain who is there. Reading the page ends nothing, the button does. */
export function SignInAgainPage({ visit, client, returnTo }: { visit: Visit; client: ApplicationRow; returnTo: string }) {
  return (
    <Layout visit={visit} title="Sign in again">
      <form class="form" method="post" action={visit.to`/login/oauth/sign_in_again`}>
        <h1>Sign in again</h1>
        <p>
          You are signed in as <strong>{visit.viewer.user?.name}</strong>. <strong>{client.name}</strong> requires you to sign in again, with this or another
          account.
        </p>
        <input type="hidden" name="redirect_to" value={returnTo} />
        <button class="primary" type="submit">
          Sign in again
        </button>
      </form>
    </Layout>
  )
}

/** For the moment until the browser is where it goes. */
export function PassingPage({ visit, address }: { visit: Visit; address: string }) {
  return (
    <Layout visit={visit} title="Signed in">
      <p>
        You are signed in. <a href={address}>Continue</a> if you are not redirected.
      </p>
    </Layout>
  )
}
