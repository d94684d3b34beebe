import type { Context } from '#context.ts'
import { AccountFrame, ActionButton, Choice, SubmitButton, TextArea, TextField, Time, Trouble, type Visit } from '#web/index.ts'
import type { ApplicationTerms, NewSecret } from './change-applications.ts'
import { describeScopes } from './describe-scopes.ts'
import { Maker } from './maker.tsx'
import { parseScopes } from './scopes.ts'
import type { ApplicationRow, GivenGrant } from './store.ts'

interface ListProps {
  context: Context
  visit: Visit
  applications: readonly ApplicationRow[]
  grants: readonly GivenGrant[]
  /** Of a new one that was not taken. */
  typed: ApplicationTerms | undefined
  error: string | undefined
}

export function ApplicationsPage({ context, visit, applications, grants, typed, error }: ListProps) {
  return (
    <AccountFrame visit={visit} subject="oauth2" title="Applications">
      <h2>Let in by you</h2>
      {grants.length === 0 ? (
        <p class="faint">You have let no application into your account.</p>
      ) : (
        <GrantList context={context} visit={visit} grants={grants} />
      )}
      <h2>Made by you</h2>
      {applications.length > 0 && (
        <ul class="list">
          {applications.map(({ id, name, client_id }) => (
            <li>
              <a href={visit.to`/user/settings/applications/oauth2/${id}`}>{name}</a>
              <p class="faint">
                <code>{client_id}</code>
              </p>
            </li>
          ))}
        </ul>
      )}
      <form class="fields" method="post" action={visit.to`/user/settings/applications/oauth2`}>
        <h3>New application</h3>
        <Trouble text={error} />
        <TermsFields terms={typed ?? { name: '', redirect_uris: [], confidential_client: true, skip_secondary_authorization: false }} />
        <SubmitButton>Make the application</SubmitButton>
      </form>
    </AccountFrame>
  )
}

function GrantList({ context, visit, grants }: { context: Context; visit: Visit; grants: readonly GivenGrant[] }) {
  return (
    <ul class="list">
      {grants.map((grant) => (
        <li class="bar">
          <div>
            <strong>{grant.application}</strong>
            <p>
              <Maker context={context} visit={visit} ownerId={grant.owner_id} />
            </p>
            <p class="faint">
              {`It may ${describeScopes(parseScopes(grant.scope)).join('; ')}`}
              {', since '}
              <Time at={grant.created_at} />
              {grant.last_used_at === null ? ', never used' : [', last used ', <Time at={grant.last_used_at} />]}
            </p>
          </div>
          <ActionButton action={visit.to`/user/settings/applications/oauth2/${grant.application_id}/revoke/${grant.id}`} to={grant.application} isDanger>
            Take back
          </ActionButton>
        </li>
      ))}
    </ul>
  )
}

function TermsFields({ terms }: { terms: ApplicationTerms }) {
  return (
    <>
      <TextField name="name" label="Name, as people see it who are asked to let it in" value={terms.name} most={255} isRequired />
      <TextArea name="redirect_uris" label="Addresses that answers may be sent to, one a line" value={terms.redirect_uris.join('\n')} isRequired isExact />
      <Choice name="confidential_client" label="It can keep a secret: it runs on a server, not on people's own machines" isOn={terms.confidential_client} />
      <Choice
        name="skip_secondary_authorization"
        label="Who has let it in once is not asked again, though it cannot keep a secret"
        isOn={terms.skip_secondary_authorization}
      />
    </>
  )
}

interface ApplicationProps {
  visit: Visit
  application: ApplicationRow
  terms: ApplicationTerms
  error: string | undefined
}

export function ApplicationPage({ visit, application, terms, error }: ApplicationProps) {
  const address = visit.to`/user/settings/applications/oauth2/${application.id}`
  return (
    <AccountFrame visit={visit} subject="oauth2" title={application.name}>
      <p>
        Its id is <code>{application.client_id}</code>.
      </p>
      <form class="fields" method="post" action={address}>
        <Trouble text={error} />
        <TermsFields terms={terms} />
        <SubmitButton>Save</SubmitButton>
      </form>
      <section>
        <h2>Secret</h2>
        <p>A new secret makes the present one worthless at once.</p>
        <ActionButton action={`${address}/regenerate_secret`}>Make a new secret</ActionButton>
      </section>
      <section>
        <h2>Delete</h2>
        <p>All whom people have let in through it are out at once.</p>
        <ActionButton action={`${address}/delete`} isDanger>
          Delete the application
        </ActionButton>
      </section>
    </AccountFrame>
  )
}

/** The one time that a secret is shown. */
export function NewSecretPage({ visit, made: { row, secret } }: { visit: Visit; made: NewSecret }) {
  return (
    <AccountFrame visit={visit} subject="oauth2" title={row.name}>
      <section class="written" aria-label="The new secret">
        <p>This is what the application shows that it is itself. Copy the secret now: it is not shown again.</p>
        <p>Client ID</p>
        <pre>{row.client_id}</pre>
        <p>Client secret</p>
        <pre>{secret}</pre>
      </section>
      <p>
        <a href={visit.to`/user/settings/applications/oauth2/${row.id}`}>Go on</a>
      </p>
    </AccountFrame>
  )
}
