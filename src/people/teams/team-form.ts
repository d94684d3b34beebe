import { type Static, t } from 'elysia'
import { type TeamRow, usedUnits } from '#access/index.ts'
import { oneOf } from '#kernel/schema.ts'
import { looseForm } from '#web/index.ts'
import { CreateTeamOption } from './schema.ts'
import type { TeamGrant } from './units.ts'

const unitLevels = ['none', 'read', 'write'] as const
type UnitLevel = (typeof unitLevels)[number]
type UsedUnit = (typeof usedUnits)[number]

const UnitField = t.Optional(oneOf(unitLevels))
const unitFields = Object.fromEntries(usedUnits.map((unit) => [`unit_${unit}`, UnitField])) as Record<`unit_${UsedUnit}`, typeof UnitField>

/** A team as it is filled in: what it may do is all, or a level for each unit. */
export const TeamForm = t.Object({
  ...t.Pick(looseForm(CreateTeamOption), ['name', 'description', 'visibility', 'includes_all_repositories', 'can_create_org_repo']).properties,
  rights: t.Optional(oneOf(['units', 'admin'])),
  ...unitFields,
})
export type TeamForm = Static<typeof TeamForm>

export const emptyTeam: TeamForm = { name: '', visibility: 'private', rights: 'units', unit_code: 'read', unit_issues: 'read', unit_pulls: 'read' }

/** A team as its form shows it. */
export function formOfTeam(row: TeamRow, units: TeamGrant['units']): TeamForm {
  return {
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    includes_all_repositories: row.includes_all_repositories === 1,
    can_create_org_repo: row.can_create_org_repo === 1,
    rights: row.permission === 'admin' ? 'admin' : 'units',
    ...Object.fromEntries([...units].map(([unit, level]) => [`unit_${unit}`, level])),
  }
}

/** What a form asks for: boxes that are not ticked are off. @param present what a team may do in units that the form says nothing of stays as it is */
export function optionsInTeam(form: TeamForm, present: TeamGrant['units'] = new Map()): Static<typeof CreateTeamOption> {
  return {
    name: form.name,
    description: form.description ?? '',
    visibility: form.visibility,
    includes_all_repositories: form.includes_all_repositories === true,
    can_create_org_repo: form.can_create_org_repo === true,
    permission: form.rights === 'admin' ? 'admin' : 'write',
    ...(form.rights === 'admin' ? {} : { units_map: unitsIn(form, present) }),
  }
}

function unitsIn(form: TeamForm, present: TeamGrant['units']): Record<string, string> {
  const asked = usedUnits.map((unit) => [unit, levelOf(form, unit)] as const)
  return Object.fromEntries([...present, ...asked].map(([unit, level]) => [`repo.${unit}`, level]))
}

export function levelOf(form: TeamForm, unit: UsedUnit): UnitLevel {
  return form[`unit_${unit}`] ?? 'none'
}
