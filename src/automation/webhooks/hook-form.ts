import { type Static, t } from 'elysia'
import { oneOf } from '#kernel/schema.ts'
import { extraMembers, extrasOf } from './hook-config.ts'
import { type CreateHookOption, type EditHookOption, hookTypes } from './schema.ts'
import type { WebhookRow } from './store.ts'

const Text = (maxLength: number) => t.Optional(t.String({ maxLength }))
const Box = t.Optional(t.Boolean())

/** What is filled in for a hook in the browser; boxes that are not ticked are absent. */
export const HookForm = t.Object({
  type: oneOf(hookTypes),
  name: Text(255),
  url: t.String({ maxLength: 2048 }),
  content_type: Text(255),
  secret: Text(2048),
  authorization_header: Text(2048),
  channel: Text(2048),
  username: Text(2048),
  icon_url: Text(2048),
  color: Text(2048),
  events: t.Optional(t.Array(t.String({ maxLength: 64 }), { maxItems: 64 })),
  branch_filter: Text(255),
  active: Box,
  /** Of the site's hooks: told of everything, not a model for those of new repositories. */
  is_system: Box,
  drop_secret: Box,
  drop_authorization: Box,
})
export type HookForm = Static<typeof HookForm>

export const NewHookQuery = t.Object({ type: t.Optional(t.String()) })

/** A form that nothing has been filled into. */
export function emptyForm(type: HookForm['type']): HookForm {
  return { type, url: '', content_type: 'json', events: ['push'], active: true, is_system: true }
}

/** A hook as its form shows it; the secrets are not shown. @param url where it leads @param isActive whether it is told of anything */
export function formOf(row: WebhookRow, url: string, isActive: boolean): HookForm {
  const { type, name, content_type, branch_filter } = row
  const settings = JSON.parse(row.settings) as Partial<HookForm>
  return { ...settings, type: type as HookForm['type'], name, url, content_type, branch_filter, events: JSON.parse(row.events) as string[], active: isActive }
}

/** What the form of a new hook asks for. */
export function newHookIn(form: HookForm): CreateHookOption {
  const { type, name, events, branch_filter, authorization_header } = form
  const config = { ...extrasIn(form), url: form.url, content_type: form.content_type ?? '', secret: form.secret ?? '' }
  const isSystem = { is_system_webhook: String(form.is_system === true) }
  return { type, name, events, branch_filter, authorization_header, active: form.active === true, config: { ...config, ...isSystem } }
}

/**
 * What the form of a hook changes. Its address and whether it is on are left out where they stay as they are: who says those answers
 * for the hook from then on.
 */
export function changesIn(form: HookForm, before: HookForm): EditHookOption {
  const isActive = form.active === true
  return {
    name: form.name,
    events: form.events ?? [],
    branch_filter: form.branch_filter,
    authorization_header: form.authorization_header || (form.drop_authorization ? '' : undefined),
    ...(isActive === before.active ? {} : { active: isActive }),
    config: {
      ...extrasIn({ ...form, type: before.type }),
      ...(form.url === before.url ? {} : { url: form.url }),
      content_type: form.content_type ?? '',
      ...(form.secret ? { secret: form.secret } : form.drop_secret ? { secret: '' } : {}),
    },
  }
}

function extrasIn(form: HookForm): Record<string, string> {
  const names = extraMembers.filter((name) => extrasOf(form.type).includes(name))
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}
