import { Elysia, t } from 'elysia'
import { gate, MadeLately, type OrgAccess, OrgParams, type TeamAccess, usedUnits, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { visibilities } from '#people/users/index.ts'
import {
  ActionButton,
  answerDone,
  answerPage,
  attempt,
  Choice,
  checkForm,
  EditForm,
  OrgFrame,
  Radios,
  Select,
  SubmitButton,
  TextField,
  Trouble,
  unitNames,
  Visit,
} from '#web/index.ts'
import { createTeam, deleteTeam, editTeam } from './change-teams.ts'
import { getKnownTeam } from './rules.ts'
import { CreateTeamOption, EditTeamOption } from './schema.ts'
import { unitsOfTeam } from './store.ts'
import { emptyTeam, formOfTeam, levelOf, optionsInTeam, TeamForm } from './team-form.ts'
import { TeamFrame, teamAddress } from './team-frame.tsx'

const TeamNameParams = t.Object({ ...OrgParams.properties, team: t.String() })

interface Asked {
  viewer: Viewer
  org: OrgAccess
  request: Request
}

/** Where owners make teams and say what they may do. */
export function teamSettingsPages(context: Context) {
  const teamOf = ({ viewer, org, params }: Asked & { params: { team: string } }) => getKnownTeam(context.db, viewer, org, params.team)
  const formOf = ({ row }: TeamAccess) => formOfTeam(row, unitsOfTeam(context.db, row.id))
  return new Elysia({ name: 'teams.settings-pages' })
    .use(gate(context, 'page'))
    .get('/org/:org/teams/new', (asked) => showNew(context, asked, emptyTeam), { org: 'owner', params: OrgParams, detail: { hide: true } })
    .post('/org/:org/teams', (asked) => create(context, asked, asked.body), { org: 'owner', params: OrgParams, body: TeamForm, detail: { hide: true } })
    .get('/org/:org/teams/:team/edit', (asked) => showTeam(context, asked, teamOf(asked), formOf(teamOf(asked))), {
      org: 'owner',
      params: TeamNameParams,
      detail: { hide: true },
    })
    .post('/org/:org/teams/:team/edit', (asked) => save(context, asked, teamOf(asked), asked.body), {
      org: 'owner',
      params: TeamNameParams,
      body: TeamForm,
      detail: { hide: true },
    })
    .post(
      '/org/:org/teams/:team/delete',
      (asked) => {
        const team = teamOf(asked)
        const work = () => {
          deleteTeam(context, team.row)
          return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => visit.to`/org/${asked.org.row.name}/teams`, 'Team deleted')
        }
        return attempt(work, (problem) => showTeam(context, asked, team, formOf(team), problem))
      },
      { org: 'owner', params: TeamNameParams, detail: { hide: true } },
    )
}

function create(context: Context, asked: Asked, form: TeamForm): Promise<Response> {
  const work = () => {
    const make = () => createTeam(context, asked.org.row, checkForm(CreateTeamOption, optionsInTeam(form)))
    const row = context.services.get(MadeLately).once(asked.viewer, ['team', asked.org.row.id, form], make)
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => teamAddress(visit, { row, org: asked.org }), `Team “${row.name}” created`)
  }
  return attempt(work, (problem) => showNew(context, asked, form, problem))
}

/** Of the owners' team only the description is asked for. */
function save(context: Context, asked: Asked, team: TeamAccess, form: TeamForm): Promise<Response> {
  const work = () => {
    const options = team.row.permission === 'owner' ? { description: form.description } : optionsInTeam(form, unitsOfTeam(context.db, team.row.id))
    const row = editTeam(context, team.row, checkForm(EditTeamOption, options))
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => teamAddress(visit, { row, org: asked.org }), 'Team saved')
  }
  return attempt(work, (problem) => showTeam(context, asked, team, form, problem))
}

function showNew(context: Context, { viewer, org, request }: Asked, form: TeamForm, problem?: Problem): Response {
  const visit = new Visit(context, viewer, request)
  return answerPage(
    <OrgFrame visit={visit} org={org} tab="teams" title="New team">
      <h2>New team</h2>
      <form class="fields" method="post" action={visit.to`/org/${org.row.name}/teams`}>
        <Trouble text={problem?.message} />
        <TeamFields form={form} />
        <SubmitButton>Create team</SubmitButton>
      </form>
    </OrgFrame>,
    problem?.status ?? 200,
  )
}

function showTeam(context: Context, { viewer, request }: Asked, team: TeamAccess, form: TeamForm, problem?: Problem): Response {
  const visit = new Visit(context, viewer, request)
  const isOwners = team.row.permission === 'owner'
  const address = teamAddress(visit, team)
  return answerPage(
    <TeamFrame visit={visit} team={team} tab="settings">
      <EditForm class="fields" action={`${address}/edit`}>
        <Trouble text={problem?.message} />
        {isOwners ? (
          <>
            <p>Owners have full access to the organization and its repositories. The permissions of this team cannot be changed.</p>
            <input type="hidden" name="name" value={team.row.name} />
            <TextField name="description" label="Description" value={form.description} most={255} />
          </>
        ) : (
          <TeamFields form={form} />
        )}
        <SubmitButton>Save team</SubmitButton>
      </EditForm>
      {!isOwners && (
        <>
          <h3>Delete team</h3>
          <p>Members who are in no other team are removed from the organization.</p>
          <ActionButton action={`${address}/delete`} isDanger>
            Delete team
          </ActionButton>
        </>
      )}
    </TeamFrame>,
    problem?.status ?? 200,
  )
}

const visibilityNames = {
  private: 'Private: visible to its members and organization owners',
  limited: 'Limited: visible to all organization members',
  public: 'Public: visible to everyone who can see the organization',
} as const

const levels = [
  ['none', 'No access'],
  ['read', 'Read'],
  ['write', 'Read and write'],
] as const
const rights = [
  ['units', 'Custom permissions'],
  ['admin', 'Administrator access'],
] as const

function TeamFields({ form }: { form: TeamForm }) {
  return (
    <>
      <TextField name="name" label="Name" value={form.name} most={255} isRequired isExact />
      <TextField name="description" label="Description" value={form.description} most={255} />
      <Select
        name="visibility"
        label="Visibility"
        options={visibilities.toReversed().map((one) => [one, visibilityNames[one]])}
        selected={form.visibility || 'private'}
      />
      <Choice name="includes_all_repositories" label="All repositories, including future ones" isOn={form.includes_all_repositories === true} />
      <Choice name="can_create_org_repo" label="Members can create repositories in the organization" isOn={form.can_create_org_repo === true} />
      <Radios name="rights" label="Repository permissions" options={rights} selected={form.rights}>
        {usedUnits.map((unit) => (
          <Select name={`unit_${unit}`} label={unitNames[unit]} options={levels} selected={levelOf(form, unit)} />
        ))}
      </Radios>
    </>
  )
}
