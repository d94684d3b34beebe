import { accessStore, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'
import { answerPage, type Html, mendable, RepoFrame, SubmitButton, seeOther, Trouble, type Visit } from '#web/index.ts'
import { type IssueConfig, type IssueFormField, type IssueTemplate, readConfig, readTemplates } from '#work/issue-templates/index.ts'
import { isWriter, listLabelsNamed } from '#work/issues/index.ts'
import { isCut, listChoices, type Planned } from './choices.ts'
import { attributeOf, composeBody, fieldName, isRequired, optionsOf, unanswered } from './issue-form.ts'
import { PlanFields } from './plan-panel.tsx'
import { renderText } from './show-thread.tsx'
import { FileField, TextField } from './text-forms.tsx'
import { previewAddress, type ThreadView } from './view.ts'
import { asPosted, postIssue, type TextForm, withTextForm } from './write-text.ts'

/** What a new issue begins with, or what was typed when it was not taken. */
interface Start {
  template: IssueTemplate | undefined
  title: string
  body: string
  planned: Planned
  /** What else is to be found to plan it with; absent where nothing was asked for. */
  find?: string
  /** Names of the files that came with it. */
  files?: readonly string[]
  error?: string
}

const MAX_FIND = 255
const nothingPlanned: Planned = { labels: [], milestone: undefined, assignees: [] }

/** What stands on the page of a new issue beside what is typed. */
interface Around {
  /** For who may plan it. */
  choices: ThreadView['choices']
  /** What a template says between its questions, as it reads. */
  said: ReadonlyMap<IssueFormField, Html>
}

async function around(context: PageContext, visit: Visit, repo: RepoAccess, { template, planned, find = '' }: Start): Promise<Around> {
  const said = new Map<IssueFormField, Html>()
  for (const field of template?.body ?? []) {
    if (field.type === 'markdown') said.set(field, await renderText(context, visit, repo, attributeOf(field, 'value')))
  }
  return { choices: isWriter(repo, { is_pull: 0 }) ? await listChoices(context, visit, repo, planned, find) : undefined, said }
}

type PageContext = Pick<Context, 'db' | 'git' | 'services'>

interface Asked {
  template?: string
  title?: string
  body?: string
}

/** A form for an issue; where the repository has templates, first the choice between them. */
export async function showNewIssue(context: PageContext, visit: Visit, repo: RepoAccess, asked: Asked): Promise<Response> {
  const { templates } = await readTemplates(context, repo.row)
  const template = templates.find(({ file_name }) => file_name === asked.template)
  if (templates.length > 0 && template === undefined && asked.template === undefined) {
    const { config } = await readConfig(context, repo.row)
    return answerPage(<ChoicePage visit={visit} repo={repo} templates={templates} config={config} />)
  }
  const planned = template && isWriter(repo, { is_pull: 0 }) ? plannedBy(context, repo, template) : nothingPlanned
  const start = { template, title: asked.title ?? template?.title ?? '', body: asked.body ?? template?.content ?? '', planned }
  return answerPage(<NewIssuePage visit={visit} repo={repo} start={start} around={await around(context, visit, repo, start)} />)
}

/** Nothing that was typed is lost when it is not taken. */
export function openIssue(context: Context, visit: Visit, repo: RepoAccess, request: Request): Promise<Response> {
  return withTextForm(context, request, async (form) => {
    const { templates } = await readTemplates(context, repo.row)
    const template = templates.find(({ file_name }) => file_name === form.of('template'))
    const asks = template && template.body.length > 0 ? template : undefined
    const composed = asks ? withBody(form, composeBody(asks, form.all)) : form
    const showAgain = async (more: Pick<Start, 'error' | 'find'>, status: number) => {
      const files = form.files.map(({ name }) => name)
      const start = { template: asks, title: form.of('title'), body: form.of('body'), planned: plannedIn(form), files, ...more }
      return answerPage(<NewIssuePage visit={visit} repo={repo} start={start} around={await around(context, visit, repo, start)} />, status)
    }
    const find = form.of('find').trim().slice(0, MAX_FIND)
    if (find !== form.of('found')) return showAgain({ find }, 422)
    try {
      if (asks) requireAnswers(asks, form)
      const posted = () => postIssue(context, { viewer: visit.viewer, repo }, template ? withRef(composed, template) : composed)
      const issue = asPosted(context, visit.viewer, ['issue', repo.row.id], form, posted)
      return seeOther(visit.to`/${repo.owner.name}/${repo.row.name}/issues/${issue.number}`)
    } catch (error) {
      const problem = mendable(error)
      return showAgain({ error: problem.message, ...(find !== '' && { find }) }, problem.status)
    }
  })
}

/** Browsers ask for them, too, but take blanks for an answer. @throws Problem */
function requireAnswers(template: IssueTemplate, form: TextForm): void {
  const missing = unanswered(template, form.all)
  if (missing.length > 0) throw new Problem(422, `Required fields are empty: ${missing.join(', ')}`)
}

function plannedIn(form: TextForm): Planned {
  const [milestone] = form.all('milestone').map(Number)
  return { labels: form.all('labels').map(Number), milestone, assignees: form.all('assignees') }
}

function withBody(form: TextForm, body: string): TextForm {
  return { ...form, of: (name) => (name === 'body' ? body : form.of(name)) }
}

/** The labels, milestone and people that the template selects. They are selected in the form, so a deselected one stays out. */
function plannedBy({ db }: Pick<Context, 'db'>, { row, owner }: RepoAccess, { labels, assignees }: IssueTemplate): Planned {
  return {
    labels: listLabelsNamed(db, row.id, owner.id, labels).map(({ id }) => id),
    milestone: undefined,
    assignees: assignees.filter((name) => accessStore.findUserByName(db, name)),
  }
}

function withRef(form: TextForm, { ref }: IssueTemplate): TextForm {
  return { ...form, of: (name) => (name === 'ref' ? ref : form.of(name)) }
}

function ChoicePage({ visit, repo, templates, config }: { visit: Visit; repo: RepoAccess; templates: readonly IssueTemplate[]; config: IssueConfig }) {
  const address = visit.to`/${repo.owner.name}/${repo.row.name}/issues/new`
  return (
    <RepoFrame visit={visit} repo={repo} tab="issues" title="New issue">
      <h2>Choose a template</h2>
      <ul class="list">
        {templates.map(({ name, about, file_name }) => (
          <li>
            <a href={`${address}?template=${encodeURIComponent(file_name)}`}>{name}</a>
            <p class="faint">{about}</p>
          </li>
        ))}
        {config.contact_links.map(({ name, url, about }) => (
          <li>
            <a href={url} rel="nofollow noopener noreferrer">
              {name}
            </a>
            <p class="faint">{about}</p>
          </li>
        ))}
        {config.blank_issues_enabled && (
          <li>
            <a href={`${address}?template=`}>Blank issue</a>
          </li>
        )}
      </ul>
    </RepoFrame>
  )
}

function NewIssuePage({ visit, repo, start, around: { choices, said } }: { visit: Visit; repo: RepoAccess; start: Start; around: Around }) {
  const fields = start.template?.body ?? []
  return (
    <RepoFrame visit={visit} repo={repo} tab="issues" title="New issue">
      <h2>{start.template?.name ?? 'New issue'}</h2>
      <form
        class="fields"
        method="post"
        action={visit.to`/${repo.owner.name}/${repo.row.name}/issues/new`}
        enctype="multipart/form-data"
        data-preview={previewAddress(visit, repo)}
      >
        <Trouble text={start.error} />
        {start.template && <input type="hidden" name="template" value={start.template.file_name} />}
        <label>
          Title
          <input name="title" value={start.title} maxlength="255" dir="auto" required />
        </label>
        {fields.length === 0 ? (
          <TextField text={start.body} label="Description" rows={14} />
        ) : (
          fields.map((field, at) => <Field field={field} at={at} said={said} />)
        )}
        <FileField lost={start.files} />
        {choices && (
          <details open={start.error !== undefined || start.find !== undefined || isPlanned(start.planned)}>
            <summary>Labels, milestone, assignees</summary>
            <div class="fields">
              <PlanFields choices={choices} planned={start.planned} />
            </div>
          </details>
        )}
        <SubmitButton>Create issue</SubmitButton>
        {choices && (start.find !== undefined || isCut(choices)) && <FindOthers find={start.find} />}
      </form>
    </RepoFrame>
  )
}

function isPlanned({ labels, assignees }: Planned): boolean {
  return labels.length > 0 || assignees.length > 0
}

/** Behind the button that opens the issue, so that nobody who ends a line elsewhere asks for this. What was found last is no question any more. */
function FindOthers({ find }: { find: string | undefined }) {
  return (
    <fieldset>
      <legend>More labels, milestones and assignees</legend>
      {find !== undefined && (
        <p role="status">{`Showing ${find === '' ? 'the first results' : `results for “${find}”`} above, plus your selection. The issue has not been created yet.`}</p>
      )}
      <input type="hidden" name="found" value={find ?? ''} />
      <input type="search" name="find" value={find} aria-label="Search labels, milestones and assignees" maxlength={MAX_FIND} />
      <button type="submit" formnovalidate>
        Search
      </button>
    </fieldset>
  )
}

/** One question of a template. */
function Field({ field, at, said }: { field: IssueFormField; at: number; said: Around['said'] }) {
  if (!field.visible.includes('form')) return null
  if (field.type === 'markdown') return <div class="text">{said.get(field)}</div>
  const [name, required] = [fieldName(field, at), isRequired(field)]
  const title = `${attributeOf(field, 'label')}${required ? ' *' : ''}`
  const about = attributeOf(field, 'description')
  const value = attributeOf(field, 'value')
  const placeholder = attributeOf(field, 'placeholder')
  if (field.type === 'checkboxes') return <Boxes field={field} name={name} title={title} about={about} />
  return (
    <>
      <label for={name}>{title}</label>
      {about !== '' && <span class="faint">{about}</span>}
      {field.type === 'textarea' && (
        <textarea id={name} name={name} rows="6" required={required} placeholder={placeholder}>
          {`\n${value}`}
        </textarea>
      )}
      {field.type === 'input' && <input id={name} name={name} value={value} required={required} placeholder={placeholder} />}
      {field.type === 'dropdown' && (
        <select id={name} name={name} required={required} multiple={field.attributes.multiple === true}>
          {field.attributes.multiple !== true && <option value="">{required ? 'Choose one' : 'None'}</option>}
          {optionsOf(field).map(({ label }, i) => (
            <option value={i} selected={field.attributes.default === i}>
              {label}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

function Boxes({ field, name, title, about }: { field: IssueFormField; name: string; title: string; about: string }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {about !== '' && <p class="faint">{about}</p>}
      {optionsOf(field).map(({ label, isRequired: isNeeded }, i) => (
        <label class="choice">
          <input type="checkbox" name={name} value={i} required={isNeeded} /> {label}
        </label>
      ))}
    </fieldset>
  )
}
