import type { Static } from 'elysia'
import { visibilities } from '#people/users/index.ts'
import { Choice, Select, TextField } from '#web/index.ts'
import type { EditOrgOption } from './schema.ts'

const visibilityNames = {
  public: 'Public: visible to everyone',
  limited: 'Limited: visible to signed-in users',
  private: 'Private: visible to members only',
} as const

/** What can be said of an organization when it is made, and later. */
export function OrgFields({ form }: { form: Static<typeof EditOrgOption> }) {
  return (
    <>
      <TextField name="full_name" label="Full name" value={form.full_name} most={100} />
      <TextField name="description" label="Description" value={form.description} most={255} />
      <TextField name="website" label="Website" value={form.website} most={255} isExact />
      <TextField name="location" label="Location" value={form.location} most={50} />
      <TextField name="email" label="Email address" value={form.email} type="email" most={254} />
      <Select name="visibility" label="Visibility" options={visibilities.map((one) => [one, visibilityNames[one]])} selected={form.visibility || 'public'} />
      <Choice
        name="repo_admin_change_team_access"
        label="Repository administrators can change team access"
        isOn={form.repo_admin_change_team_access === true}
      />
    </>
  )
}
