import { MadeLately, type Member, type RepoAccess, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Problem } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { parsePage } from '#kernel/page.ts'
import { answerDone, answerPage, attempt } from '#web/index.ts'
import { createHook, deleteHook, editHook, getHook } from './change-hooks.ts'
import { changesIn, emptyForm, formOf, type HookForm, newHookIn } from './hook-form.ts'
import { HookPage, type HookPlace, HooksPage } from './hook-templates.tsx'
import { mayFire } from './rules.ts'
import { hookTypes } from './schema.ts'
import { addressOf } from './secrets.ts'
import { countHooks, type HookOwner, listHooks, type WebhookRow } from './store.ts'
import { testHook } from './test-hook.ts'

const PAGE_SIZE = 50

/** A place of hooks, with whose they are. */
export interface HookDesk extends HookPlace {
  viewer: Member
  owner: HookOwner
  /** Of hooks of a repository. */
  repo?: RepoAccess
}

/** What the pages of repositories, organizations, people and the site do alike with the hooks of theirs. */
export function hookDesks(context: Context) {
  const { db } = context
  return {
    list(desk: HookDesk, query: { page?: string }): Response {
      const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
      const hooks = listHooks(db, desk.owner, page).map((row) => ({
        ...row,
        url: addressOf(context, row) || 'URL cannot be decrypted: the encryption key is missing',
        active: isOn(row),
        isSystem: row.is_system === 1,
      }))
      return answerPage(<HooksPage place={desk} hooks={hooks} page={page} total={countHooks(db, desk.owner)} />)
    },
    fresh: (desk: HookDesk, { type }: { type?: string }) => showNew(desk, emptyForm(hookTypes.find((one) => one === type) ?? 'gitea')),
    create: (desk: HookDesk, form: HookForm) =>
      attempt(
        () => {
          const make = () => createHook(context, desk.viewer, desk.owner, newHookIn(form))
          context.services.get(MadeLately).once(desk.viewer, ['hook', desk.address, form], make)
          return answerDone(desk.visit, desk.address, 'Webhook created')
        },
        (problem) => showNew(desk, form, problem),
      ),
    show(desk: HookDesk, id: string): Response {
      const row = getHook(context, desk.owner, rowIdIn(id))
      return showHook(desk, row, filledFormOf(row))
    },
    save(desk: HookDesk, id: string, form: HookForm): Promise<Response> {
      const row = getHook(context, desk.owner, rowIdIn(id))
      const work = () => {
        editHook(context, desk.viewer, desk.owner, row.id, changesIn(form, filledFormOf(row)))
        return answerDone(desk.visit, `${desk.address}/${row.id}`, 'Webhook saved')
      }
      return attempt(work, (problem) => showHook(desk, row, { ...form, type: row.type as HookForm['type'] }, problem))
    },
    delete(desk: HookDesk, id: string): Response {
      deleteHook(db, desk.owner, rowIdIn(id))
      return answerDone(desk.visit, desk.address, 'Webhook deleted')
    },
    test(desk: HookDesk & { repo: RepoAccess }, id: string): Promise<Response> {
      const row = getHook(context, desk.owner, rowIdIn(id))
      const work = () => {
        testHook(context, requireUser(desk.viewer).user, desk.repo, row, undefined)
        return answerDone(desk.visit, `${desk.address}/${row.id}`, 'Test event recorded. This version does not deliver webhooks yet.')
      }
      return attempt(work, (problem) => showHook(desk, row, filledFormOf(row), problem))
    },
  }

  function filledFormOf(row: WebhookRow): HookForm {
    return formOf(row, addressOf(context, row), isOn(row))
  }

  /** Nobody who may answers for a hook that is off. */
  function isOn(row: WebhookRow): boolean {
    return row.is_active === 1 && mayFire(db, row)
  }
}

function showNew(desk: HookDesk, form: HookForm, problem?: Problem): Response {
  return answerPage(<HookPage place={desk} form={form} error={problem?.message} />, problem?.status ?? 200)
}

function showHook(desk: HookDesk, row: WebhookRow, form: HookForm, problem?: Problem): Response {
  const has = { secret: row.secret !== '', authorization: row.authorization !== '' }
  const page = <HookPage place={desk} id={row.id} form={form} has={has} isTestable={desk.repo !== undefined} error={problem?.message} />
  return answerPage(page, problem?.status ?? 200)
}
