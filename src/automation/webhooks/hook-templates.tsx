import type { Page } from '#kernel/page.ts'
import { ActionButton, type Child, Choice, EditForm, Empty, type Html, Pager, Select, SubmitButton, TextField, Trouble, type Visit } from '#web/index.ts'
import { type HookEvent, hookEvents } from './event-names.ts'
import { type ExtraMember, extrasOf } from './hook-config.ts'
import type { HookForm } from './hook-form.ts'
import { hookTypes } from './schema.ts'

/** Where hooks are shown: whose they are, and what stands around them. */
export interface HookPlace {
  visit: Visit
  /** Of the list; each hook stands below it, by its id. */
  address: string
  frame: (children: Child) => Html
  /** What the hooks here are told of. */
  about: string
  /** Whether the place has hooks of two kinds. */
  isSite?: boolean
  /** Whether what stands around them says in a heading that these are hooks. */
  isBelowHeading?: boolean
}

const typeNames: Record<(typeof hookTypes)[number], string> = {
  gitea: 'Gitea',
  forgejo: 'Forgejo',
  gogs: 'Gogs',
  slack: 'Slack',
  discord: 'Discord',
  dingtalk: 'DingTalk',
  telegram: 'Telegram',
  msteams: 'Microsoft Teams',
  feishu: 'Feishu',
  wechatwork: 'WeCom',
  packagist: 'Packagist',
}

const eventNames: Record<HookEvent, string> = {
  create: 'Branch or tag created',
  delete: 'Branch or tag deleted',
  fork: 'Repository forked',
  push: 'Push',
  issues: 'Issue opened, closed, reopened, edited or deleted',
  issue_assign: 'Issue assigned or unassigned',
  issue_label: 'Issue labels changed',
  issue_milestone: 'Issue milestone changed',
  issue_comment: 'Issue comment',
  pull_request: 'Pull request opened, closed, reopened, edited or deleted',
  pull_request_assign: 'Pull request assigned or unassigned',
  pull_request_label: 'Pull request labels changed',
  pull_request_milestone: 'Pull request milestone changed',
  pull_request_comment: 'Pull request comment',
  pull_request_review_approved: 'Pull request approved',
  pull_request_review_rejected: 'Pull request changes requested',
  pull_request_review_comment: 'Pull request review comment',
  pull_request_sync: 'Pull request synchronized (commits pushed)',
  pull_request_review_request: 'Pull request review requested or review request removed',
  wiki: 'Wiki page created, renamed, edited or deleted',
  repository: 'Repository created or deleted',
  release: 'Release published, updated or deleted',
  package: 'Package created or deleted',
  status: 'Commit status updated',
  workflow_run: 'Workflow run queued, in progress or completed',
  workflow_job: 'Workflow job queued, in progress or completed',
}

const extraNames: Record<ExtraMember, string> = { channel: 'Channel', username: 'Username', icon_url: 'Icon URL', color: 'Color' }

export interface ListedHook {
  id: number
  name: string
  url: string
  type: string
  active: boolean
  isSystem: boolean
}

export function HooksPage({ place, hooks, page, total }: { place: HookPlace; hooks: readonly ListedHook[]; page: Page; total: number }) {
  return place.frame(
    <>
      <p>{place.about}</p>
      <p class="faint">This version stores webhooks but does not deliver them yet.</p>
      {total === 0 && <Empty visit={place.visit} icon="link" title="No webhooks yet" />}
      {hooks.length > 0 && (
        <ul class="list">
          {hooks.map((hook) => (
            <li class="bar">
              <span>
                <a href={`${place.address}/${hook.id}`}>{hook.name || hook.url}</a>
                {hook.name !== '' && <span class="faint"> {hook.url}</span>}
                <span class="mark">{nameOfType(hook.type)}</span>
                {place.isSite && <span class="mark">{hook.isSystem ? 'System webhook' : 'Default webhook'}</span>}
                {!hook.active && <span class="mark">Inactive</span>}
              </span>
              <ActionButton action={`${place.address}/${hook.id}/delete`} to={hook.name || hook.url} isDanger>
                Delete
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
      <Pager visit={place.visit} page={page} total={total} />
      <form class="search" method="get" action={`${place.address}/new`}>
        <select name="type" aria-label="Webhook type">
          {Object.entries(typeNames).map(([type, name]) => (
            <option value={type}>{name}</option>
          ))}
        </select>
        <button type="submit">New webhook</button>
      </form>
    </>,
  )
}

function nameOfType(type: string): string {
  return typeNames[hookTypes.find((one) => one === type) ?? 'gitea']
}

interface HookPageProps {
  place: HookPlace
  /** Absent for a new one. */
  id?: number
  form: HookForm
  error: string | undefined
  /** What the hook has and does not show. */
  has?: { secret: boolean; authorization: boolean }
  /** Where it can be tried: where it stands in a repository. */
  isTestable?: boolean
}

export function HookPage({ place, id, form, error, has, isTestable = false }: HookPageProps) {
  const address = id === undefined ? place.address : `${place.address}/${id}`
  const title = id === undefined ? `New ${nameOfType(form.type)} webhook` : `${nameOfType(form.type)} webhook`
  return place.frame(
    <>
      {place.isBelowHeading ? <h3>{title}</h3> : <h2>{title}</h2>}
      <EditForm class="fields" action={address} isNew={id === undefined}>
        <Trouble text={error} />
        <input type="hidden" name="type" value={form.type} />
        {place.isSite && id === undefined && (
          <Choice
            name="is_system"
            label="System webhook: triggers for all repositories. If not selected: default webhook, copied to each new repository"
            isOn={form.is_system === true}
          />
        )}
        <Target form={form} has={has} />
        <Events chosen={form.events ?? []} />
        <TextField
          name="branch_filter"
          label="Branch filter (glob pattern such as main, release/** or {main,dev}; empty for all branches)"
          value={form.branch_filter}
          most={255}
          isExact
        />
        <Choice name="active" label="Active" isOn={form.active === true} />
        <SubmitButton>{id === undefined ? 'Create webhook' : 'Save webhook'}</SubmitButton>
      </EditForm>
      {id !== undefined && (
        <div class="buttons">
          {isTestable && <ActionButton action={`${address}/test`}>Test with latest commit</ActionButton>}
          <ActionButton action={`${address}/delete`} isDanger>
            Delete webhook
          </ActionButton>
        </div>
      )}
    </>,
  )
}

const contentTypes = [
  ['json', 'JSON'],
  ['form', 'Form (JSON in the field "payload")'],
] as const

/** Where deliveries go, and what they carry to be believed. */
function Target({ form, has }: { form: HookForm; has: HookPageProps['has'] }) {
  return (
    <>
      <TextField name="url" label="Payload URL" value={form.url} type="url" most={2048} isRequired isExact />
      <TextField name="name" label="Name (optional)" value={form.name} most={255} />
      <Select name="content_type" label="Content type" options={contentTypes} selected={form.content_type} />
      {extrasOf(form.type).map((name) => (
        <TextField name={name} label={extraNames[name]} value={form[name]} most={2048} isRequired={name === 'channel'} isExact />
      ))}
      <TextField
        name="secret"
        label={has?.secret ? 'New secret (leave empty to keep the current one)' : 'Secret (used to sign deliveries)'}
        value={form.secret}
        type="password"
        most={2048}
        autocomplete="off"
      />
      {has?.secret && <Choice name="drop_secret" label="Remove secret" isOn={form.drop_secret === true} />}
      <TextField
        name="authorization_header"
        label={has?.authorization ? 'New Authorization header (leave empty to keep the current one)' : 'Authorization header (for example "Bearer <token>")'}
        value={form.authorization_header}
        type="password"
        most={2048}
        autocomplete="off"
      />
      {has?.authorization && <Choice name="drop_authorization" label="Remove Authorization header" isOn={form.drop_authorization === true} />}
    </>
  )
}

function Events({ chosen }: { chosen: readonly string[] }) {
  return (
    <fieldset>
      <legend>Trigger on</legend>
      {hookEvents.map((event) => (
        <Choice name="events" label={eventNames[event]} value={event} isOn={chosen.includes(event)} />
      ))}
    </fieldset>
  )
}
