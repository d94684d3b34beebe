import { Elysia, type Static, t } from 'elysia'
import { atLeast, gate, type RepoAccess, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { branchRef } from '#git/refs/names.ts'
import { Problem, Unprocessable } from '#kernel/errors.ts'
import { findRef } from '#repositories/refs/index.ts'
import {
  answerDone,
  answerPage,
  attempt,
  Choice,
  ConfirmingField,
  EditForm,
  isPasswordAsked,
  PasswordField,
  RepoSettingsFrame,
  Select,
  SubmitButton,
  TextField,
  Trouble,
  Visit,
} from '#web/index.ts'
import { deleteRepo } from './delete-repo.ts'
import { editRepo } from './edit-repo.ts'
import { EditRepoOption, InternalTracker } from './schema.ts'
import { settingsOf } from './settings.ts'

/** Boxes of the form: one that is not ticked is off. */
const boxes = {
  private: 'Private: only people you choose can see it',
  template: 'Template repository: people can create new repositories from its files',
  has_issues: 'Issues',
  has_pull_requests: 'Pull requests',
  has_wiki: 'Wiki',
  has_releases: 'Releases',
  allow_merge_commits: 'Allow merge commits',
  allow_rebase: 'Allow rebase and merge (fast-forward)',
  allow_rebase_explicit: 'Allow rebase with a merge commit',
  allow_squash_merge: 'Allow squash and merge',
  allow_fast_forward_only_merge: 'Allow fast-forward only merges',
  default_delete_branch_after_merge: 'Delete branch after merge by default',
  default_allow_maintainer_edit: 'Allow edits by maintainers by default',
  ignore_whitespace_conflicts: 'Ignore whitespace when checking for conflicts',
} as const satisfies Partial<Record<keyof EditRepoOption, string>>
type Box = keyof typeof boxes
const boxNames = Object.keys(boxes) as Box[]

type Tracker = Static<typeof InternalTracker>

/** The same of how issues are worked on. */
const trackerBoxes = {
  enable_issue_dependencies: 'Enable issue dependencies',
  enable_time_tracker: 'Enable time tracking',
  allow_only_contributors_to_track_time: 'Let only contributors track time',
} as const satisfies Record<keyof Tracker, string>
const trackerNames = Object.keys(trackerBoxes) as (keyof Tracker)[]

/** How pull requests are merged when nobody chooses. */
const mergeStyles = [
  ['merge', 'Create a merge commit'],
  ['rebase', 'Rebase and merge'],
  ['rebase-merge', 'Rebase and create merge commit'],
  ['squash', 'Squash and merge'],
  ['fast-forward-only', 'Fast-forward only'],
] as const

const GeneralForm = t.Object({
  ...t.Pick(EditRepoOption, ['name', 'description', 'website', 'default_branch', 'default_merge_style', ...boxNames]).properties,
  ...t.Partial(InternalTracker).properties,
})
type GeneralForm = Static<typeof GeneralForm>
const ActionForm = t.Object({
  action: t.Union([t.Literal('archive'), t.Literal('unarchive'), t.Literal('delete')]),
  name: t.Optional(t.String({ maxLength: 255 })),
  password: t.Optional(t.String({ maxLength: 1024 })),
})

/** A repository's own settings, for its administrators. */
export function settingsPages(context: Context) {
  return new Elysia({ name: 'repos.settings-pages' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/settings', ({ viewer, repo, request }) => show(context, new Visit(context, viewer, request), repo), {
      repo: 'admin',
      params: RepoParams,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings', ({ viewer, repo, request, body }) => save(context, new Visit(context, viewer, request), repo, body), {
      repo: 'admin',
      params: RepoParams,
      body: GeneralForm,
      detail: { hide: true },
    })
    .post('/:owner/:repo/settings/danger', ({ viewer, repo, request, body }) => act(context, new Visit(context, viewer, request), repo, request, body), {
      repo: 'admin',
      params: RepoParams,
      body: ActionForm,
      detail: { hide: true },
    })
}

/** A form that was refused: what was typed into it, and why. */
interface Refused {
  general?: GeneralForm
  name?: string | undefined
  problem: Problem
}

function show(context: Pick<Context, 'authenticator'>, visit: Visit, repo: RepoAccess, refused?: Refused): Response {
  const isAsked = isPasswordAsked(context, requireUser(visit.viewer))
  return answerPage(<SettingsPage visit={visit} repo={repo} refused={refused} isPasswordAsked={isAsked} />, refused?.problem.status ?? 200)
}

function save(context: Context, visit: Visit, repo: RepoAccess, form: GeneralForm): Promise<Response> {
  const flags = Object.fromEntries(boxNames.map((name) => [name, form[name] === true]))
  const work = () => {
    requireBranch(context, repo, form.default_branch)
    const { name } = editRepo(context, requireUser(visit.viewer).user, repo, { ...generalIn(form), ...flags })
    return answerDone(visit, visit.to`/${repo.owner.name}/${name}/settings`, 'Settings saved')
  }
  return attempt(work, (problem) => show(context, visit, repo, { general: form, problem }))
}

/** What a form says as programs say it: how issues are worked on is a record of its own. */
function generalIn({ enable_issue_dependencies, enable_time_tracker, allow_only_contributors_to_track_time, ...general }: GeneralForm): EditRepoOption {
  const internal_tracker = {
    enable_issue_dependencies: enable_issue_dependencies === true,
    enable_time_tracker: enable_time_tracker === true,
    allow_only_contributors_to_track_time: allow_only_contributors_to_track_time === true,
  }
  return { ...general, internal_tracker }
}

/** Programs that name a branch that is not there are passed over, as in Gitea; people are told. @throws Unprocessable */
function requireBranch({ db }: Pick<Context, 'db'>, { row }: RepoAccess, name: string | undefined): void {
  if (name === undefined || name === row.default_branch || findRef(db, row.id, branchRef(name))) return
  throw new Unprocessable(`Branch “${name.slice(0, 100)}” does not exist. Enter the name of an existing branch.`)
}

/** What cannot be taken back wants the name typed and, after a while, the password. */
function act(context: Context, visit: Visit, repo: RepoAccess, request: Request, form: Static<typeof ActionForm>): Promise<Response> {
  const viewer = requireUser(visit.viewer)
  const work = async () => {
    if (form.action !== 'delete') {
      editRepo(context, viewer.user, repo, { archived: form.action === 'archive' })
      return answerDone(
        visit,
        visit.to`/${repo.owner.name}/${repo.row.name}/settings`,
        form.action === 'archive' ? 'Repository archived' : 'Repository unarchived',
      )
    }
    if (!atLeast(repo.permission.level, 'owner')) throw new Problem(403, 'Only owners can delete a repository.')
    if (form.name !== `${repo.owner.name}/${repo.row.name}`)
      throw new Unprocessable(`The name does not match. Type ${repo.owner.name}/${repo.row.name} to delete the repository.`)
    await context.authenticator.requireRecent(viewer, form.password, request)
    deleteRepo(context, { actor: viewer.user, owner: repo.owner, repo: repo.row })
    return answerDone(visit, visit.to`/${repo.owner.name}`, `Repository “${repo.row.name}” deleted`)
  }
  return attempt(work, (problem) => show(context, visit, repo, { name: form.name, problem }))
}

/** The form as the repository is now. */
function formOf({ row }: RepoAccess): GeneralForm {
  const settings = settingsOf(row)
  const has = (unit: 'issues' | 'pulls' | 'wiki' | 'releases') => !settings.disabled_units.includes(unit)
  return {
    ...settings,
    ...settings.internal_tracker,
    name: row.name,
    description: row.description,
    website: row.website,
    default_branch: row.default_branch,
    private: row.is_private === 1,
    template: row.is_template === 1,
    has_issues: has('issues'),
    has_pull_requests: has('pulls'),
    has_wiki: has('wiki'),
    has_releases: has('releases'),
  }
}

interface Props {
  visit: Visit
  repo: RepoAccess
  refused: Refused | undefined
  isPasswordAsked: boolean
}

function SettingsPage({ visit, repo, refused, isPasswordAsked }: Props) {
  const { row, owner } = repo
  const address = visit.to`/${owner.name}/${row.name}/settings`
  const form = refused?.general ?? formOf(repo)
  return (
    <RepoSettingsFrame visit={visit} repo={repo} subject="general">
      <Trouble text={refused?.problem.message} />
      <EditForm class="fields" action={address}>
        <TextField name="name" label="Repository name" value={form.name} most={100} isRequired isExact />
        <TextField name="description" label="Description" value={form.description} most={2048} />
        <TextField name="website" label="Website" value={form.website} most={1024} />
        <TextField name="default_branch" label="Default branch" value={form.default_branch} most={100} isRequired isExact />
        {boxNames.map((name) => (
          <Choice name={name} label={boxes[name]} isOn={form[name] === true} />
        ))}
        <Select name="default_merge_style" label="Default merge style" options={mergeStyles} selected={form.default_merge_style} />
        {trackerNames.map((name) => (
          <Choice name={name} label={trackerBoxes[name]} isOn={form[name] === true} />
        ))}
        <SubmitButton>Save settings</SubmitButton>
      </EditForm>
      <h3>Danger zone</h3>
      <form class="fields" method="post" action={`${address}/danger`}>
        <div>
          <button type="submit" name="action" value={row.archived_at === null ? 'archive' : 'unarchive'}>
            {row.archived_at === null ? 'Archive repository (read-only)' : 'Unarchive repository'}
          </button>
        </div>
      </form>
      {atLeast(repo.permission.level, 'owner') && (
        <form class="fields" method="post" action={`${address}/danger`}>
          <p>Deleting a repository cannot be undone.</p>
          <ConfirmingField name="name" whole={`${owner.name}/${row.name}`} value={refused?.name} />
          <PasswordField isAsked={isPasswordAsked} />
          <div>
            <button class="danger" type="submit" name="action" value="delete">
              Delete repository
            </button>
          </div>
        </form>
      )}
    </RepoSettingsFrame>
  )
}
