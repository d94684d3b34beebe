import type { Member, UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict, NotFound } from '#kernel/errors.ts'
import { findSourceRow, listSources } from '#people/sources/index.ts'
import { answerDone, answerPage, mendable, type Visit } from '#web/index.ts'
import { deleteIdentity, type IdentityRow, listIdentities } from './store.ts'
import { type Elsewhere, type Linked, LinksPage } from './templates.tsx'

/** What an account is linked to at other sites, with a way to end that and to link more. */
export function showLinks(context: Context, visit: Visit, viewer: Member, error?: string, status = 200): Response {
  const linked = listLinked(context.db, viewer.user)
  const isRecent = context.authenticator.sessions.isRecent(viewer)
  return answerPage(<LinksPage visit={visit} linked={linked} sources={sourcesElsewhere(context)} isRecent={isRecent} error={error} />, status)
}

/** Those that people sign in at with their browser. */
export function sourcesElsewhere(context: Pick<Context, 'db' | 'secrets' | 'log'>): Elsewhere[] {
  const sources = listSources(context, { kind: 'oauth2', isActive: true })
  return sources.map(({ name, config }) => ({ name, icon: 'icon_url' in config ? config.icon_url : '' }))
}

export async function unlinkAccount(context: Context, visit: Visit, viewer: Member, request: Request, id: number, password?: string): Promise<Response> {
  try {
    await context.authenticator.requireRecent(viewer, password, request)
    unlink(context, viewer.user, id)
    return answerDone(visit, visit.to`/user/settings/account_links`, 'Account unlinked')
  } catch (error) {
    const { message, status } = mendable(error, 404)
    return showLinks(context, visit, viewer, message, status)
  }
}

/** @throws NotFound when it is not the account's; Conflict when it stays, and why */
export function unlink({ db }: Pick<Context, 'db'>, user: UserRow, id: number): void {
  db.tx((tx) => {
    const one = listLinked(tx, user).find((linked) => linked.id === id)
    if (!one) throw new NotFound()
    if (one.kept !== undefined) throw new Conflict(`Cannot unlink ${one.sourceName}: ${one.kept}.`)
    deleteIdentity(tx, id)
  })
}

function listLinked(db: Db, user: UserRow): Linked[] {
  const rows = listIdentities(db, user.id)
  return rows.map((row) => ({ ...row, sourceName: findSourceRow(db, row.source_id)?.name ?? '', kept: whyKept(db, user, row, rows) }))
}

function whyKept(db: Db, user: UserRow, row: IdentityRow, all: readonly IdentityRow[]): string | undefined {
  if (user.login_source === row.source_id) return 'your account was created from it'
  const isUsable = (sourceId: number) => findSourceRow(db, sourceId)?.is_active === 1
  const hasPassword = user.login_source === 0 ? user.password_hash !== '' : isUsable(user.login_source)
  return hasPassword || all.some((one) => one.id !== row.id && isUsable(one.source_id)) ? undefined : 'it is your only way to sign in'
}
