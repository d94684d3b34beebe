import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, oneOf, Time, wordList } from '#kernel/schema.ts'

/** How deliveries are written, and for whom. `forgejo` differs from `gitea` in the names of refs. */
export const hookTypes = ['dingtalk', 'discord', 'gitea', 'gogs', 'msteams', 'slack', 'telegram', 'feishu', 'wechatwork', 'packagist', 'forgejo'] as const

/** Secrets and authorization headers are taken and never shown: the header is always empty here. */
export const Hook = t.Object(
  {
    id: Int(),
    type: t.String(),
    name: t.String(),
    branch_filter: t.String(),
    config: t.Record(t.String(), t.String()),
    events: t.Array(t.String()),
    authorization_header: t.String(),
    active: t.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'Hook' },
)
export const HookList = t.Array(Hook, { $id: 'HookList' })

const Config = t.Record(t.String(), t.String({ maxLength: 2048 }), {
  maxProperties: 32,
  description: 'url, content_type (json or form), secret, and options of the type, such as channel for slack',
})

const common = {
  active: t.Optional(t.Boolean({ description: 'default false' })),
  authorization_header: t.Optional(t.String({ maxLength: 2048, pattern: '^[^\\x00-\\x1f\\x7f]*$', error: 'a header is one line without control characters' })),
  branch_filter: t.Optional(t.String({ maxLength: 255 })),
  events: t.Optional(wordList(t.String({ maxLength: 64 }), { maxItems: 64 })),
  name: t.Optional(t.String({ maxLength: 255 })),
}

export const CreateHookOption = t.Object(
  { ...common, type: oneOf(hookTypes, { error: `expected one of ${hookTypes.join(', ')}` }), config: Config },
  { $id: 'CreateHookOption' },
)
export type CreateHookOption = Static<typeof CreateHookOption>

/** What is absent stays as it is. */
export const EditHookOption = t.Object({ ...common, config: t.Optional(Config) }, { $id: 'EditHookOption' })
export type EditHookOption = Static<typeof EditHookOption>

export const SiteHooksQuery = t.Object({
  ...PageQuery.properties,
  type: t.Optional(t.String({ description: 'system (default), default or all' })),
})

export const TestHookQuery = t.Object({
  ref: t.Optional(t.String({ maxLength: 1024, description: 'the branch, tag or commit of the test event; default: the default branch' })),
})
