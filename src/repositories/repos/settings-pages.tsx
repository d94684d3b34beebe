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
  private: 'Private: only you and whom you choose see it',
  template: 'A template: others can begin repositories with its files',
  has_issues: 'Issues',
  has_pull_requests: 'Pull requests',
  has_wiki: 'A wiki',
  has_releases: 'Releases',
  allow_merge_commits: 'Pull requests can be merged by a merge commit',
  allow_rebase: 'Pull requests can be rebased and fast-forwarded',
  allow_rebase_explicit: 'Pull requests can be rebased and merged by a merge commit',
  allow_squash_merge: 'Pull requests can be squashed into one commit',
  allow_fast_forward_only_merge: 'Pull requests can be fast-forwarded',
  default_delete_branch_after_merge: 'Merged branches are deleted unless one says otherwise',
  default_allow_maintainer_edit: 'Who may merge may push to the branch of a pull request from a fork, unless its author says otherwise',
  ignore_whitespace_conflicts: 'Changes of whitespace alone are no conflict',
} as const satisfies Partial<Record<keyof EditRepoOption, string>>
type Box = keyof typeof boxes
const boxNames = Object.keys(boxes) as Box[]

type Tracker = Static<typeof InternalTracker>

/** The same of how issues are worked on. */
const trackerBoxes = {
  enable_issue_dependencies: 'Issues can wait for one another',
  enable_time_tracker: 'Time spent on issues is tracked',
  allow_only_contributors_to_track_time: 'Only who may write, or is assigned, tracks time',
} as const satisfies Record<keyof Tracker, string>
const trackerNames = Object.keys(trackerBoxes) as (keyof Tracker)[]

/** How pull requests are merged when nobody chooses. */
const mergeStyles = [
  ['merge', 'Make a merge commit'],
  ['rebase', 'Rebase, then fast-forward'],
  ['rebase-merge', 'Rebase, then make a merge commit'],
  ['squash', 'Make one commit of all'],
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
  throw new Unprocessable(`There is no branch called ${name.slice(0, 100)}.`)
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
        form.action === 'archive' ? 'Repository archived' : 'Repository no longer archived',
      )
    }
    if (!atLeast(repo.permission.level, 'owner')) throw new Problem(403, 'Only owners delete a repository.')
    if (form.name !== `${repo.owner.name}/${repo.row.name}`) throw new Unprocessable(`Type ${repo.owner.name}/${repo.row.name} to delete it.`)
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
        <TextField name="name" label="Name" value={form.name} most={100} isRequired isExact />
        <TextField name="description" label="What it is" value={form.description} most={2048} />
        <TextField name="website" label="Website" value={form.website} most={1024} />
        <TextField name="default_branch" label="Default branch" value={form.default_branch} most={100} isRequired isExact />
        {boxNames.map((name) => (
          <Choice name={name} label={boxes[name]} isOn={form[name] === true} />
        ))}
        <Select name="default_merge_style" label="What is offered first to merge" options={mergeStyles} selected={form.default_merge_style} />
        {trackerNames.map((name) => (
          <Choice name={name} label={trackerBoxes[name]} isOn={form[name] === true} />
        ))}
        <SubmitButton>Save</SubmitButton>
      </EditForm>
      <h3>Close or delete</h3>
      <form class="fields" method="post" action={`${address}/danger`}>
        <div>
          <button type="submit" name="action" value={row.archived_at === null ? 'archive' : 'unarchive'}>
            {row.archived_at === null ? 'Archive: nothing changes any more' : 'Take it out of the archive'}
          </button>
        </div>
      </form>
      {atLeast(repo.permission.level, 'owner') && (
        <form class="fields" method="post" action={`${address}/danger`}>
          <p>Deleted is deleted: it does not come back.</p>
          <ConfirmingField name="name" whole={`${owner.name}/${row.name}`} value={refused?.name} />
          <PasswordField isAsked={isPasswordAsked} />
          <div>
            <button class="danger" type="submit" name="action" value="delete">
              Delete the repository
            </button>
          </div>
        </form>
      )}
    </RepoSettingsFrame>
  )
}
