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
  create: 'A branch or tag is made',
  delete: 'A branch or tag is deleted',
  fork: 'The repository is forked',
  push: 'Something is pushed',
  issues: 'An issue is opened, closed, reopened, edited or deleted',
  issue_assign: 'An issue is assigned to somebody, or taken from them',
  issue_label: 'Labels of an issue change',
  issue_milestone: 'The milestone of an issue changes',
  issue_comment: 'An issue is commented on',
  pull_request: 'A pull request is opened, closed, reopened, edited or deleted',
  pull_request_assign: 'A pull request is assigned to somebody, or taken from them',
  pull_request_label: 'Labels of a pull request change',
  pull_request_milestone: 'The milestone of a pull request changes',
  pull_request_comment: 'A pull request is commented on',
  pull_request_review_approved: 'A pull request is approved',
  pull_request_review_rejected: 'Changes to a pull request are asked for',
  pull_request_review_comment: 'A review of a pull request comments on it',
  pull_request_sync: 'Commits are pushed to a pull request',
  pull_request_review_request: 'A review is asked for, or no longer',
  wiki: 'A page of the wiki changes',
  repository: 'The repository is made or deleted',
  release: 'A release is published, changed or deleted',
  package: 'A package is made or deleted',
  status: 'A commit gets a status',
  workflow_run: 'A workflow begins, goes on or ends',
  workflow_job: 'A job of a workflow begins, goes on or ends',
}

const extraNames: Record<ExtraMember, string> = { channel: 'Channel', username: 'Name to write under', icon_url: 'Address of its picture', color: 'Colour' }

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
      <p class="faint">This version keeps what they are to be told of, and delivers nothing yet.</p>
      {total === 0 && <Empty visit={place.visit} icon="link" title="There are none yet." />}
      {hooks.length > 0 && (
        <ul class="list">
          {hooks.map((hook) => (
            <li class="bar">
              <span>
                <a href={`${place.address}/${hook.id}`}>{hook.name || hook.url}</a>
                {hook.name !== '' && <span class="faint"> {hook.url}</span>}
                <span class="mark">{nameOfType(hook.type)}</span>
                {place.isSite && <span class="mark">{hook.isSystem ? 'Told of everything' : 'Model for new repositories'}</span>}
                {!hook.active && <span class="mark">Off</span>}
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
        <select name="type" aria-label="Whom the webhook tells">
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
  const title = id === undefined ? `New webhook for ${nameOfType(form.type)}` : `Webhook for ${nameOfType(form.type)}`
  return place.frame(
    <>
      {place.isBelowHeading ? <h3>{title}</h3> : <h2>{title}</h2>}
      <EditForm class="fields" action={address} isNew={id === undefined}>
        <Trouble text={error} />
        <input type="hidden" name="type" value={form.type} />
        {place.isSite && id === undefined && (
          <Choice
            name="is_system"
            label="Told of everything on this server; otherwise a model, of which each new repository gets a copy"
            isOn={form.is_system === true}
          />
        )}
        <Target form={form} has={has} />
        <Events chosen={form.events ?? []} />
        <TextField
          name="branch_filter"
          label="Only of branches like this; empty for all: main, release/**, {main,dev}"
          value={form.branch_filter}
          most={255}
          isExact
        />
        <Choice name="active" label="On" isOn={form.active === true} />
        <SubmitButton>{id === undefined ? 'Make the webhook' : 'Save'}</SubmitButton>
      </EditForm>
      {id !== undefined && (
        <div class="buttons">
          {isTestable && <ActionButton action={`${address}/test`}>Try it with the newest commit</ActionButton>}
          <ActionButton action={`${address}/delete`} isDanger>
            Delete the webhook
          </ActionButton>
        </div>
      )}
    </>,
  )
}

const contentTypes = [
  ['json', 'JSON'],
  ['form', 'A form with JSON in its field "payload"'],
] as const

/** Where deliveries go, and what they carry to be believed. */
function Target({ form, has }: { form: HookForm; has: HookPageProps['has'] }) {
  return (
    <>
      <TextField name="url" label="Address" value={form.url} type="url" most={2048} isRequired isExact />
      <TextField name="name" label="Name, for yourself" value={form.name} most={255} />
      <Select name="content_type" label="What is sent" options={contentTypes} selected={form.content_type} />
      {extrasOf(form.type).map((name) => (
        <TextField name={name} label={extraNames[name]} value={form[name]} most={2048} isRequired={name === 'channel'} isExact />
      ))}
      <TextField
        name="secret"
        label={has?.secret ? 'Another secret; empty keeps the present one' : 'Secret that deliveries are signed with'}
        value={form.secret}
        type="password"
        most={2048}
        autocomplete="off"
      />
      {has?.secret && <Choice name="drop_secret" label="No secret any more" isOn={form.drop_secret === true} />}
      <TextField
        name="authorization_header"
        label={has?.authorization ? 'Another Authorization header; empty keeps the present one' : 'Authorization header, such as Bearer and a token'}
        value={form.authorization_header}
        type="password"
        most={2048}
        autocomplete="off"
      />
      {has?.authorization && <Choice name="drop_authorization" label="No Authorization header any more" isOn={form.drop_authorization === true} />}
    </>
  )
}

function Events({ chosen }: { chosen: readonly string[] }) {
  return (
    <fieldset>
      <legend>What it is told of</legend>
      {hookEvents.map((event) => (
        <Choice name="events" label={eventNames[event]} value={event} isOn={chosen.includes(event)} />
      ))}
    </fieldset>
  )
}
