import { isSiteAdmin, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import type { WebhookRow } from './store.ts'
import { parseTarget, type Target, targetPolicy } from './target.ts'

/** What a body's `config` says, in columns; what it does not mention is absent. */
export type ConfigColumns = Partial<Pick<WebhookRow, 'url' | 'content_type' | 'secret' | 'authorization' | 'settings' | 'is_system'>>

/** Members of `config` that some types take besides those that all do. */
export const extraMembers = ['channel', 'username', 'icon_url', 'color'] as const
export type ExtraMember = (typeof extraMembers)[number]

/** Those of a type. */
const extras: Readonly<Record<string, readonly ExtraMember[]>> = {
  slack: extraMembers,
  discord: ['username', 'icon_url'],
}

export function extrasOf(type: string): readonly ExtraMember[] {
  return extras[type] ?? []
}

/**
 * Checks `config` for a hook of `type`. `before` is the hook as it is, when there is one; a new hook needs `url` and `content_type`.
 * @throws Unprocessable
 */
export function readConfig(context: Pick<Context, 'config'>, viewer: Viewer, type: string, config: Record<string, string>, before?: WebhookRow): ConfigColumns {
  if (!before) requireMembers(type, config)
  return {
    ...(config.url === undefined ? {} : readTarget(context, viewer, config.url)),
    ...(config.content_type === undefined ? {} : { content_type: readContentType(config.content_type) }),
    ...(config.secret === undefined ? {} : { secret: config.secret }),
    ...(config.is_system_webhook ? { is_system: Number(readFlag(config.is_system_webhook)) } : {}),
    settings: readSettings(type, config, before),
  }
}

function requireMembers(type: string, config: Record<string, string>): void {
  for (const name of ['url', 'content_type', ...(type === 'slack' ? ['channel'] : [])]) {
    if (!config[name]) throw new Unprocessable(`Missing config option: ${name}`)
  }
}

/** The address of a hook that the viewer may set. @throws Unprocessable */
export function readTarget({ config }: Pick<Context, 'config'>, viewer: Viewer, text: string): Target {
  return parseTarget(text, targetPolicy(config, isSiteAdmin(viewer)))
}

function readContentType(text: string): string {
  if (text !== 'json' && text !== 'form') throw new Unprocessable('Invalid content type')
  return text
}

/** Go's `strconv.ParseBool`. */
function readFlag(text: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true
  if (/^(0|f|F|FALSE|false|False)$/.test(text)) return false
  throw new Unprocessable('Invalid is_system_webhook value')
}

function readSettings(type: string, config: Record<string, string>, before?: WebhookRow): string {
  const settings = JSON.parse(before?.settings ?? '{}') as Record<string, string>
  for (const name of extrasOf(type)) if (config[name] !== undefined) settings[name] = config[name].trim()
  if (type === 'slack' && !/^#?[^\s#][^\s]{0,79}$/.test(settings.channel ?? '')) throw new Unprocessable('Invalid slack channel name')
  return JSON.stringify(settings)
}
