import { ActionButton, type Child, Choice, EditForm, type Html, SubmitButton, TextArea, TextField, Trouble } from '#web/index.ts'
import type { ApplicationTerms, NewSecret } from './change-applications.ts'
import type { ApplicationRow } from './store.ts'

/** Where applications are looked at: a person's settings, an organization's, the site's. */
export interface ApplicationPlace {
  /** Of the list, as browsers reach it. */
  address: string
  frame: (children: Child) => Html
}

interface ListProps {
  place: ApplicationPlace
  before: Html | undefined
  applications: readonly ApplicationRow[]
  /** Ways to the others. */
  pager: Html
  /** Of a new one that was not taken. */
  typed: ApplicationTerms | undefined
  error: string | undefined
}

export function ApplicationsPage({ place, before, applications, pager, typed, error }: ListProps) {
  return place.frame(
    <>
      {before}
      {applications.length > 0 && (
        <ul class="list">
          {applications.map(({ id, name, client_id }) => (
            <li>
              <a href={`${place.address}/${id}`}>{name}</a>
              <p class="faint">
                <code>{client_id}</code>
              </p>
            </li>
          ))}
        </ul>
      )}
      {pager}
      <form class="fields" method="post" action={place.address}>
        <h2>New application</h2>
        <Trouble text={error} />
        <TermsFields terms={typed ?? { name: '', redirect_uris: [], confidential_client: true, skip_secondary_authorization: false }} />
        <SubmitButton>Create application</SubmitButton>
      </form>
    </>,
  )
}

function TermsFields({ terms }: { terms: ApplicationTerms }) {
  return (
    <>
      <TextField name="name" label="Application name" value={terms.name} most={255} isRequired />
      <TextArea name="redirect_uris" label="Redirect URIs (one per line)" value={terms.redirect_uris.join('\n')} isRequired isExact />
      <Choice name="confidential_client" label="Confidential client: runs on a server and can keep a secret" isOn={terms.confidential_client} />
      <Choice
        name="skip_secondary_authorization"
        label="Skip secondary authorization: ask each user only once (public clients)"
        isOn={terms.skip_secondary_authorization}
      />
    </>
  )
}

interface ApplicationProps {
  place: ApplicationPlace
  application: ApplicationRow
  terms: ApplicationTerms
  error: string | undefined
}

export function ApplicationPage({ place, application, terms, error }: ApplicationProps) {
  const address = `${place.address}/${application.id}`
  return place.frame(
    <>
      <h2>{application.name}</h2>
      <p>
        Client ID: <code>{application.client_id}</code>
      </p>
      <EditForm class="fields" action={address}>
        <Trouble text={error} />
        <TermsFields terms={terms} />
        <SubmitButton>Save application</SubmitButton>
      </EditForm>
      <section>
        <h2>Client secret</h2>
        <p>A new secret replaces the current one immediately.</p>
        <ActionButton action={`${address}/regenerate_secret`}>Regenerate secret</ActionButton>
      </section>
      <section>
        <h2>Delete application</h2>
        <p>The access that users granted to the application is revoked immediately.</p>
        <ActionButton action={`${address}/delete`} isDanger>
          Delete application
        </ActionButton>
      </section>
    </>,
  )
}

/** The one time that a secret is shown. */
export function NewSecretPage({ place, made: { row, secret } }: { place: ApplicationPlace; made: NewSecret }) {
  return place.frame(
    <>
      <h2>{row.name}</h2>
      <section class="written" aria-label="New client secret">
        <p>Copy the client secret now. It is not shown again.</p>
        <p>Client ID</p>
        <pre>{row.client_id}</pre>
        <p>Client secret</p>
        <pre>{secret}</pre>
      </section>
      <p>
        <a href={`${place.address}/${row.id}`}>Continue</a>
      </p>
    </>,
  )
}
