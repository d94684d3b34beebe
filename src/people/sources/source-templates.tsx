import type { Static } from 'elysia'
import { ActionButton, Choice, EditForm, Empty, PasswordField, Select, SiteFrame, SubmitButton, TextArea, TextField, Trouble, type Visit } from '#web/index.ts'
import type { AuthSource, AuthSourceTest } from './schema.ts'
import { fieldsOf, type SourceField, type SourceForm, sourceKinds } from './source-form.ts'

type SourceRecord = Static<typeof AuthSource>

const kindNames = { ldap: 'LDAP', smtp: 'SMTP', pam: 'PAM', oauth2: 'OAuth2' } as const

export function SourcesPage({ visit, sources }: { visit: Visit; sources: readonly SourceRecord[] }) {
  const address = visit.to`/-/admin/auths`
  return (
    <SiteFrame visit={visit} subject="sources" title="Authentication sources">
      <p>Users without a password on this server can sign in through these sources.</p>
      {sources.length === 0 && <Empty visit={visit} icon="key" title="No authentication sources yet" />}
      {sources.length > 0 && (
        <ul class="list">
          {sources.map((source) => (
            <li>
              <a href={`${address}/${source.id}`}>{source.name}</a>
              <span class="mark">{kindNames[source.type]}</span>
              {!source.is_active && <span class="mark">Inactive</span>}{' '}
              <span class="faint">{`${source.users_count} ${source.users_count === 1 ? 'account' : 'accounts'}`}</span>
            </li>
          ))}
        </ul>
      )}
      <form class="search" method="get" action={`${address}/new`}>
        <select name="type" aria-label="Source type">
          {sourceKinds.map((kind) => (
            <option value={kind}>{kindNames[kind]}</option>
          ))}
        </select>
        <button type="submit">New authentication source</button>
      </form>
    </SiteFrame>
  )
}

interface Props {
  visit: Visit
  /** Absent for a new one. */
  id?: number
  form: SourceForm
  error: string | undefined
  isAsked: boolean
  /** What came of asking it. */
  tested?: Static<typeof AuthSourceTest>
}

export function SourcePage({ visit, id, form, error, isAsked, tested }: Props) {
  const list = visit.to`/-/admin/auths`
  const address = id === undefined ? list : `${list}/${id}`
  return (
    <SiteFrame visit={visit} subject="sources" title={id === undefined ? `New ${kindNames[form.type]} source` : form.name}>
      {tested && <Outcome tested={tested} />}
      <EditForm class="fields" action={address} isNew={id === undefined}>
        <Trouble text={error} />
        <input type="hidden" name="type" value={form.type} />
        <TextField name="name" label="Name" value={form.name} most={255} isRequired autocomplete="off" />
        <Choice name="is_active" label="Active: users can sign in through this source" isOn={form.is_active === true} />
        {form.type === 'ldap' && <Choice name="is_sync_enabled" label="Synchronize users periodically" isOn={form.is_sync_enabled === true} />}
        <Choice name="skip_local_2fa" label="Skip two-factor authentication on this server" isOn={form.skip_local_2fa === true} />
        {fieldsOf(form.type).map((field) => (
          <Field field={field} value={form[field.name]} isKnown={id !== undefined} />
        ))}
        <PasswordField isAsked={isAsked} />
        <SubmitButton>{id === undefined ? 'Create source' : 'Save source'}</SubmitButton>
      </EditForm>
      {id !== undefined && <Further address={address} kind={form.type} />}
    </SiteFrame>
  )
}

/** What is done with a source that is there. */
function Further({ address, kind }: { address: string; kind: SourceForm['type'] }) {
  return (
    <>
      {kind !== 'oauth2' && (
        <>
          <h2>Test source</h2>
          <form class="fields" method="post" action={`${address}/test`}>
            <p>Tests the saved settings. No account is created or changed.</p>
            <TextField name="username" label="Username (leave empty to test only the connection)" most={254} isExact autocomplete="off" />
            <TextField name="test_password" label="Password of this user" type="password" most={1024} autocomplete="off" />
            <SubmitButton>Test source</SubmitButton>
          </form>
        </>
      )}
      <h2>Delete source</h2>
      <p>You can delete a source only if no account uses it.</p>
      <ActionButton action={`${address}/delete`} isDanger>
        Delete source
      </ActionButton>
    </>
  )
}

function Outcome({ tested: { ok, message, user } }: { tested: Static<typeof AuthSourceTest> }) {
  return (
    <section class="written" role="status" aria-label="Test result">
      <p>{`${ok ? 'Test passed.' : 'Test failed.'} ${message}`}</p>
      {user && (
        <ul>
          <li>{`Account ${user.name}, login name ${user.login_name}`}</li>
          <li>{`${user.full_name || 'No full name'}, ${user.email || 'no email address'}`}</li>
          {user.is_admin !== undefined && <li>{user.is_admin ? 'Administrator' : 'Not an administrator'}</li>}
          {user.is_restricted !== undefined && <li>{user.is_restricted ? 'Restricted' : 'Not restricted'}</li>}
          {user.groups && <li>{`Groups: ${user.groups.join(', ') || 'none'}`}</li>}
          <li>{`${user.ssh_keys_count} SSH keys`}</li>
        </ul>
      )}
    </section>
  )
}

const acronyms: Readonly<Record<string, string>> = { ca: 'CA', dn: 'DN', helo: 'HELO', id: 'ID', ssh: 'SSH', tls: 'TLS', url: 'URL', urls: 'URLs' }

/** `bind_dn` becomes "Bind DN". */
function labelOf(name: string): string {
  const label = name
    .split('_')
    .map((word) => acronyms[word] ?? word)
    .join(' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

function Field({ field, value, isKnown }: { field: SourceField; value: unknown; isKnown: boolean }) {
  const { name, kind, options, most } = field
  const label = [labelOf(name), field.description.replace('; never returned', '')].filter(Boolean).join(': ')
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (kind === 'flag') return <Choice name={name} label={label} isOn={value === true} />
  if (kind === 'choice') return <Select name={name} label={label} options={options.map((one) => [one, one])} selected={text} />
  if (kind === 'long') return <TextArea name={name} label={label} value={text} rows={4} most={most} isExact />
  if (kind === 'number') return <TextField name={name} label={label} type="number" value={text} min={0} isRequired />
  const secret = isKnown ? `${label} (leave empty to keep the current one)` : label
  return kind === 'secret' ? (
    <TextField name={name} label={secret} type="password" value={text} most={most} autocomplete="off" />
  ) : (
    <TextField name={name} label={label} value={text} most={most} isExact autocomplete="off" />
  )
}
