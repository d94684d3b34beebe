import { t } from 'elysia'

export const TemplateNames = t.Array(t.String())
export const GitignoreTemplateInfo = t.Object({ name: t.String(), source: t.String() }, { $id: 'GitignoreTemplateInfo' })

const licenseEntry = { key: t.String(), name: t.String(), url: t.String() }
export const LicensesTemplateListEntry = t.Object(licenseEntry, { $id: 'LicensesTemplateListEntry' })
export const LicenseTemplateInfo = t.Object({ ...licenseEntry, implementation: t.String(), body: t.String() }, { $id: 'LicenseTemplateInfo' })
