import { type Static, t } from 'elysia'
import type { UserRow } from '#access/index.ts'
import { Int } from '#kernel/schema.ts'
import { visibilities } from '#people/users/index.ts'
import { Choice, looseForm, Select, TextField } from '#web/index.ts'
import { CreateUserOption, EditUserOption } from './schema.ts'

const Password = t.Optional(t.String({ maxLength: 1024 }))

/** An account as an administrator fills it in; `own_password` is the administrator's. */
export const NewPersonForm = t.Object({
  ...t.Pick(looseForm(CreateUserOption), ['username', 'email', 'password', 'full_name', 'visibility', 'must_change_password', 'restricted', 'send_notify'])
    .properties,
  own_password: Password,
})
export type NewPersonForm = Static<typeof NewPersonForm>

const boxes = {
  active: 'Active: the email address is confirmed',
  admin: 'Site administrator',
  prohibit_login: 'Suspended: cannot sign in or use tokens and keys',
  restricted: 'Restricted: can only see repositories and organizations they were added to',
  allow_create_organization: 'Can create organizations',
  must_change_password: 'Must change password at next sign-in',
  hide_email: 'Hide email address',
} as const satisfies Partial<Record<keyof Change, string>>
type Box = keyof typeof boxes
const boxNames = Object.keys(boxes) as Box[]
type Change = Static<typeof EditUserOption>

export const PersonForm = t.Object({
  ...t.Pick(looseForm(EditUserOption), ['email', 'password', 'full_name', 'website', 'location', 'description', 'pronouns', 'visibility', ...boxNames])
    .properties,
  max_repo_creation: t.Optional(Int()),
  own_password: Password,
})
export type PersonForm = Static<typeof PersonForm>

/** An account as its form shows it. */
export function formOfPerson(row: UserRow): PersonForm {
  const { email, full_name, website, location, description, pronouns, visibility, max_repo_creation } = row
  return {
    ...{ email, full_name, website, location, description, pronouns, visibility, max_repo_creation },
    active: row.is_active === 1,
    admin: row.is_admin === 1,
    prohibit_login: row.prohibit_login === 1,
    restricted: row.is_restricted === 1,
    allow_create_organization: row.allow_create_organization === 1,
    must_change_password: row.must_change_password === 1,
    hide_email: row.hide_email === 1,
  }
}

/** What a form changes of an account: boxes that are not ticked are off, and the address is left alone where it stays. */
export function changesInPerson({ own_password: _, email, password, ...form }: PersonForm, before: UserRow): Change {
  return {
    ...form,
    ...(email === before.email ? {} : { email }),
    ...(password ? { password } : {}),
    ...Object.fromEntries(boxNames.map((name) => [name, form[name] === true])),
  }
}

const visibilityNames = {
  public: 'Public (everyone)',
  limited: 'Limited (signed-in users)',
  private: 'Private (administrators and members of the same organizations)',
} as const

function VisibilityField({ selected }: { selected: string | undefined }) {
  return <Select name="visibility" label="Visibility" options={visibilities.map((one) => [one, visibilityNames[one]])} selected={selected || 'public'} />
}

export function NewPersonFields({ form, sendsMail }: { form: NewPersonForm; sendsMail: boolean }) {
  return (
    <>
      <TextField name="username" label="Username" value={form.username} most={40} isRequired isExact autocomplete="off" />
      <TextField name="email" label="Email address" value={form.email} type="email" most={254} isRequired autocomplete="off" />
      <TextField name="full_name" label="Full name" value={form.full_name} most={100} autocomplete="off" />
      <TextField
        name="password"
        label="Password (if empty, only SSH keys and tokens work)"
        value={form.password}
        type="password"
        most={1024}
        autocomplete="new-password"
      />
      <Choice name="must_change_password" label={boxes.must_change_password} isOn={form.must_change_password === true} />
      <Choice name="restricted" label={boxes.restricted} isOn={form.restricted === true} />
      <VisibilityField selected={form.visibility} />
      {sendsMail && <Choice name="send_notify" label="Notify the user by email" isOn={form.send_notify === true} />}
    </>
  )
}

export function PersonFields({ form }: { form: PersonForm }) {
  return (
    <>
      <TextField name="email" label="Primary email address" value={form.email} type="email" most={254} isRequired autocomplete="off" />
      <TextField
        name="password"
        label="New password (leave empty to keep the current one)"
        value={form.password}
        type="password"
        most={1024}
        autocomplete="new-password"
      />
      {boxNames.map((name) => (
        <Choice name={name} label={boxes[name]} isOn={form[name] === true} />
      ))}
      <TextField
        name="max_repo_creation"
        label="Maximum number of repositories (-1 for the default limit)"
        value={form.max_repo_creation}
        type="number"
        min={-1}
        max={1_000_000_000}
        isRequired
      />
      <VisibilityField selected={form.visibility} />
      <TextField name="full_name" label="Full name" value={form.full_name} most={100} autocomplete="off" />
      <TextField name="pronouns" label="Pronouns" value={form.pronouns} most={50} autocomplete="off" />
      <TextField name="website" label="Website" value={form.website} most={255} isExact autocomplete="off" />
      <TextField name="location" label="Location" value={form.location} most={50} autocomplete="off" />
      <TextField name="description" label="Bio" value={form.description} most={255} autocomplete="off" />
    </>
  )
}
