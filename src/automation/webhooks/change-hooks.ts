import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Database } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { checkBranchFilter } from './branch-filter.ts'
import { expandEvents } from './event-names.ts'
import { type ConfigColumns, readConfig, readTarget } from './hook-config.ts'
import { mayFire } from './rules.ts'
import type { CreateHookOption, EditHookOption } from './schema.ts'
import { addressOf, sealSecrets } from './secrets.ts'
import { countHooks, findHook, type HookOwner, insertHook, removeHook, updateHook, type WebhookRow } from './store.ts'

/** Each event costs a delivery to every hook it concerns. */
const MAX_HOOKS = 100

/** @throws Unprocessable on a bad type, address, event or filter, and when the owner has very many hooks already */
export function createHook(context: Context, viewer: Member, owner: HookOwner, asked: CreateHookOption): WebhookRow {
  checkBranchFilter(asked.branch_filter ?? '')
  const config = readConfig(context, viewer, asked.type, asked.config)
  const now = context.clock.seconds()
  const isOfSite = owner.repo_id === null && owner.owner_id === null
  const row = {
    ...owner,
    is_system: isOfSite ? (config.is_system ?? 0) : 0,
    creator_id: viewer.user.id,
    type: asked.type,
    name: asked.name ?? '',
    content_type: config.content_type ?? '',
    ...sealSecrets(context, {
      url: config.url ?? '',
      secret: config.secret ?? '',
      authorization: asked.authorization_header || (config.authorization ?? ''),
    }),
    events: JSON.stringify(expandEvents(asked.events ?? [])),
    branch_filter: asked.branch_filter ?? '',
    settings: config.settings ?? '{}',
    is_active: Number(asked.active === true),
    created_at: now,
    updated_at: now,
  }
  return context.db.tx((tx) => {
    if (countHooks(tx, owner) >= MAX_HOOKS) throw new Unprocessable(`Cannot create the webhook: at most ${MAX_HOOKS} webhooks are allowed`)
    return { ...row, id: insertHook(tx, row) }
  })
}

/**
 * Changes what is given; an empty text removes a secret, a header or a filter.
 * @throws NotFound, and Unprocessable as creating does
 */
export function editHook(context: Context, viewer: Member, owner: HookOwner, id: number, asked: EditHookOption): WebhookRow {
  return context.db.tx((tx) => {
    const before = getHook(context, owner, id)
    const taken = takeOver(context, viewer, before, asked)
    const after = { ...before, ...taken, ...changedColumns(context, viewer, before, asked), updated_at: context.clock.seconds() }
    updateHook(tx, id, { ...after })
    return after
  })
}

/**
 * Who says where a hook leads, or that it is on, answers for it from then on. A hook that nobody entitled answered for stays off
 * until it is switched on.
 */
function takeOver(
  context: Pick<Context, 'config' | 'db' | 'secrets'>,
  viewer: Member,
  before: WebhookRow,
  { active, config }: EditHookOption,
): Partial<WebhookRow> {
  if (active !== true && config?.url === undefined) return {}
  if (config?.url === undefined) readTarget(context, viewer, addressOf(context, before))
  return { creator_id: viewer.user.id, is_active: Number(before.is_active === 1 && mayFire(context.db, before)) }
}

function changedColumns(context: Pick<Context, 'config' | 'secrets'>, viewer: Member, before: WebhookRow, asked: EditHookOption): Partial<WebhookRow> {
  const { active, branch_filter: filter, config, events, name } = asked
  if (filter !== undefined) checkBranchFilter(filter)
  const { is_system: _, ...columns } = config === undefined ? {} : readConfig(context, viewer, before.type, config, before)
  return {
    ...columns,
    ...(columns.url === undefined ? {} : sealSecrets(context, { url: columns.url })),
    ...(columns.secret === undefined ? {} : sealSecrets(context, { secret: columns.secret })),
    authorization: authorizationAfter(context, before, asked.authorization_header, columns),
    ...(filter === undefined ? {} : { branch_filter: filter }),
    ...(events === undefined ? {} : { events: JSON.stringify(expandEvents(events)) }),
    ...(name === undefined ? {} : { name }),
    ...(active === undefined ? {} : { is_active: Number(active) }),
  }
}

/** Credentials do not follow to another host: who cannot read them could have them sent to a server of their own. */
function authorizationAfter(context: Pick<Context, 'secrets'>, before: WebhookRow, asked: string | undefined, { url, authorization }: ConfigColumns): string {
  if (asked || authorization) return sealSecrets(context, { authorization: asked || authorization || '' }).authorization
  const moved = url !== undefined && new URL(url).origin !== URL.parse(addressOf(context, before))?.origin
  return asked === '' || moved ? '' : before.authorization
}

/** @throws NotFound when the owner has no hook with this id */
export function deleteHook(db: Database, owner: HookOwner, id: number): void {
  db.tx((tx) => {
    if (!removeHook(tx, owner, id)) throw new NotFound()
  })
}

/** @throws NotFound when the owner has no hook with this id */
export function getHook({ db }: Pick<Context, 'db'>, owner: HookOwner, id: number): WebhookRow {
  const row = findHook(db, owner, id)
  if (!row) throw new NotFound()
  return row
}
