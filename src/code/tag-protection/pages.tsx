import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, MadeLately, type RepoAccess, RepoParams, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { ActionButton, answerDone, answerPage, attempt, EditForm, Empty, RepoSettingsFrame, SubmitButton, TextField, Trouble, Visit } from '#web/index.ts'
import { addTagProtection, deleteTagProtection, editTagProtection } from './change-protections.ts'
import { EditTagProtectionOption, type TagProtection } from './schema.ts'
import { listTagProtections } from './store.ts'
import { presentTagProtection } from './view.ts'

const ProtectionParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the tag protection') })
const ProtectionForm = t.Object(EditTagProtectionOption.properties)
type ProtectionForm = Static<typeof ProtectionForm>
/** Elysia changes what it is given: each route has its own. */
const terms = () => ({ repo: 'admin', params: RepoParams, detail: { hide: true } }) as const

interface Asked {
  viewer: Viewer
  repo: RepoAccess
  request: Request
}

/** A form that was refused: of which protection, undefined for a new one, what was typed, and why. */
interface Refused {
  id: number | undefined
  typed: ProtectionForm
  problem: Problem
}

/** Who may make, move and delete which tags, for who administers the repository. */
export function tagProtectionPages(context: Context) {
  return new Elysia({ name: 'tag-protection.pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings/tags', (asked) => show(context, asked), terms())
    .post('/:owner/:repo/settings/tags', (asked) => save(context, asked, undefined, asked.body), { ...terms(), body: ProtectionForm })
    .post('/:owner/:repo/settings/tags/:id', (asked) => save(context, asked, rowIdIn(asked.params.id), asked.body), {
      ...terms(),
      params: ProtectionParams,
      body: ProtectionForm,
    })
    .post(
      '/:owner/:repo/settings/tags/:id/delete',
      (asked) => {
        deleteTagProtection(context, asked.repo, rowIdIn(asked.params.id))
        return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => addressOf(visit, asked.repo), 'Tag protection deleted')
      },
      { ...terms(), params: ProtectionParams },
    )
}

function addressOf(visit: Visit, { owner, row }: RepoAccess): string {
  return visit.to`/${owner.name}/${row.name}/settings/tags`
}

function save(context: Context, asked: Asked, id: number | undefined, typed: ProtectionForm): Promise<Response> {
  const work = () => {
    const make = () => addTagProtection(context, asked.viewer, asked.repo, typed)
    if (id === undefined) context.services.get(MadeLately).once(asked.viewer, ['tag protection', asked.repo.row.id, typed], make)
    else editTagProtection(context, asked.viewer, asked.repo, id, typed)
    return answerDone(new Visit(context, asked.viewer, asked.request), (visit) => addressOf(visit, asked.repo), 'Tag protection saved')
  }
  return attempt(work, (problem) => show(context, asked, { id, typed, problem }))
}

function show(context: Context, { viewer, repo, request }: Asked, refused?: Refused): Response {
  const rows = listTagProtections(context.db, repo.row.id).map((row) => presentTagProtection(context.db, row))
  return answerPage(<ProtectionsPage visit={new Visit(context, viewer, request)} repo={repo} rows={rows} refused={refused} />, refused?.problem.status ?? 200)
}

interface Props {
  visit: Visit
  repo: RepoAccess
  rows: readonly TagProtection[]
  refused: Refused | undefined
}

function ProtectionsPage({ visit, repo, rows, refused }: Props) {
  const address = addressOf(visit, repo)
  const hasTeams = repo.owner.kind === 'organization'
  const isNewRefused = refused !== undefined && refused.id === undefined
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="tags">
      <p>Only the allowed users and teams can create, update and delete tags that match a protected pattern.</p>
      {rows.length === 0 && <Empty visit={visit} icon="tag" title="No protected tags yet" />}
      {rows.length > 0 && (
        <ul class="list">
          {rows.map((row) => (
            <li class="line">
              <code>{row.name_pattern}</code>
              <span class="faint">{[...row.whitelist_usernames, ...row.whitelist_teams.map((team) => `team ${team}`)].join(', ')}</span>
              <details open={refused?.id === row.id}>
                <summary>Edit</summary>
                <Fields
                  action={`${address}/${row.id}`}
                  form={refused?.id === row.id ? refused.typed : row}
                  hasTeams={hasTeams}
                  error={refused?.id === row.id ? refused.problem.message : undefined}
                  button="Save tag protection"
                />
                <ActionButton action={`${address}/${row.id}/delete`} to={row.name_pattern} isDanger>
                  Delete tag protection
                </ActionButton>
              </details>
            </li>
          ))}
        </ul>
      )}
      <details open={rows.length === 0 || isNewRefused}>
        <summary>New tag protection</summary>
        <Fields
          action={address}
          form={isNewRefused ? refused.typed : {}}
          hasTeams={hasTeams}
          error={isNewRefused ? refused.problem.message : undefined}
          button="Create tag protection"
        />
      </details>
    </RepoSettingsFrame>
  )
}

interface FieldsProps {
  action: string
  form: ProtectionForm
  hasTeams: boolean
  error: string | undefined
  button: string
}

function Fields({ action, form, hasTeams, error, button }: FieldsProps) {
  return (
    <EditForm class="fields" action={action}>
      <Trouble text={error} />
      <TextField
        name="name_pattern"
        label="Tag name pattern (v*, or a regular expression between slashes)"
        value={form.name_pattern}
        most={255}
        isRequired
        isExact
      />
      <TextField name="whitelist_usernames" label="Allowed users (comma-separated)" value={form.whitelist_usernames?.join(', ')} isExact />
      {hasTeams && <TextField name="whitelist_teams" label="Allowed teams (comma-separated)" value={form.whitelist_teams?.join(', ')} isExact />}
      <SubmitButton>{button}</SubmitButton>
    </EditForm>
  )
}
