import type { Static } from 'elysia'
import { ActionButton, Choice, EditForm, Empty, PasswordField, Select, SiteFrame, SubmitButton, TextArea, TextField, Trouble, type Visit } from '#web/index.ts'
import type { AuthSource, AuthSourceTest } from './schema.ts'
import { fieldsOf, type SourceField, type SourceForm, sourceKinds } from './source-form.ts'

type SourceRecord = Static<typeof AuthSource>

const kindNames = { ldap: 'LDAP: a directory', smtp: 'SMTP: a mail server', pam: 'PAM: this machine', oauth2: 'OAuth2: another site' } as const

export function SourcesPage({ visit, sources }: { visit: Visit; sources: readonly SourceRecord[] }) {
  const address = visit.to`/-/admin/auths`
  return (
    <SiteFrame visit={visit} subject="sources" title="Sources of sign-in">
      <p>Where people sign in who have no password here.</p>
      {sources.length === 0 && <Empty visit={visit} icon="key" title="There are none yet." />}
      {sources.length > 0 && (
        <ul class="list">
          {sources.map((source) => (
            <li>
              <a href={`${address}/${source.id}`}>{source.name}</a>
              <span class="mark">{kindNames[source.type].split(':')[0]}</span>
              {!source.is_active && <span class="mark">Off</span>} <span class="faint">{`${source.users_count} accounts`}</span>
            </li>
          ))}
        </ul>
      )}
      <form class="search" method="get" action={`${address}/new`}>
        <select name="type" aria-label="Kind of source">
          {sourceKinds.map((kind) => (
            <option value={kind}>{kindNames[kind]}</option>
          ))}
        </select>
        <button type="submit">New source</button>
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
    <SiteFrame visit={visit} subject="sources" title={id === undefined ? `New source, ${kindNames[form.type]}` : form.name}>
      {tested && <Outcome tested={tested} />}
      <EditForm class="fields" action={address} isNew={id === undefined}>
        <Trouble text={error} />
        <input type="hidden" name="type" value={form.type} />
        <TextField name="name" label="Name" value={form.name} most={255} isRequired autocomplete="off" />
        <Choice name="is_active" label="People can sign in there" isOn={form.is_active === true} />
        {form.type === 'ldap' && <Choice name="is_sync_enabled" label="Its people are looked up periodically" isOn={form.is_sync_enabled === true} />}
        <Choice name="skip_local_2fa" label="Who signs in there is asked for no second factor here" isOn={form.skip_local_2fa === true} />
        {fieldsOf(form.type).map((field) => (
          <Field field={field} value={form[field.name]} isKnown={id !== undefined} />
        ))}
        <PasswordField isAsked={isAsked} />
        <SubmitButton>{id === undefined ? 'Make the source' : 'Save'}</SubmitButton>
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
          <h2>Try it</h2>
          <form class="fields" method="post" action={`${address}/test`}>
            <p>It is asked as it was saved. No account is made or changed.</p>
            <TextField name="username" label="Somebody to sign in there; empty: only whether it can be asked" most={254} isExact autocomplete="off" />
            <TextField name="test_password" label="Their password" type="password" most={1024} autocomplete="off" />
            <SubmitButton>Ask it</SubmitButton>
          </form>
        </>
      )}
      <h2>Delete</h2>
      <p>Only a source that no account uses can be deleted.</p>
      <ActionButton action={`${address}/delete`} isDanger>
        Delete the source
      </ActionButton>
    </>
  )
}

function Outcome({ tested: { ok, message, user } }: { tested: Static<typeof AuthSourceTest> }) {
  return (
    <section class="written" role="status" aria-label="What came of it">
      <p>{`${ok ? 'It works' : 'It does not work'}: ${message}`}</p>
      {user && (
        <ul>
          <li>{`Account ${user.name}, known there as ${user.login_name}`}</li>
          <li>{`${user.full_name || 'No full name'}, ${user.email || 'no e-mail address'}`}</li>
          {user.is_admin !== undefined && <li>{user.is_admin ? 'Administrator' : 'No administrator'}</li>}
          {user.is_restricted !== undefined && <li>{user.is_restricted ? 'Restricted' : 'Not restricted'}</li>}
          {user.groups && <li>{`Groups: ${user.groups.join(', ') || 'none'}`}</li>}
          <li>{`${user.ssh_keys_count} SSH keys`}</li>
        </ul>
      )}
    </section>
  )
}

function Field({ field, value, isKnown }: { field: SourceField; value: unknown; isKnown: boolean }) {
  const { name, kind, options, most } = field
  const label = [name.replaceAll('_', ' '), field.description].filter(Boolean).join(': ')
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (kind === 'flag') return <Choice name={name} label={label} isOn={value === true} />
  if (kind === 'choice') return <Select name={name} label={label} options={options.map((one) => [one, one])} selected={text} />
  if (kind === 'long') return <TextArea name={name} label={label} value={text} rows={4} most={most} isExact />
  if (kind === 'number') return <TextField name={name} label={label} type="number" value={text} min={0} isRequired />
  const secret = isKnown ? `${label}; empty keeps the present one` : label
  return kind === 'secret' ? (
    <TextField name={name} label={secret} type="password" value={text} most={most} autocomplete="off" />
  ) : (
    <TextField name={name} label={label} value={text} most={most} isExact autocomplete="off" />
  )
}
