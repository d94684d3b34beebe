import type { Static } from 'elysia'
import type { Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { Page } from '#kernel/page.ts'
import { createHook, deleteHook, editHook, getHook } from './change-hooks.ts'
import type { CreateHookOption, EditHookOption, Hook } from './schema.ts'
import { countHooks, type HookOwner, listHooks } from './store.ts'
import { presentHook, presentHooks } from './view.ts'

type HookRecord = Static<typeof Hook>

/** What a handler of a list is given to answer with. */
interface Listing {
  page: Page
  total: (count: number) => void
}

/** What the routes of repositories, organizations, people and the site do alike with the hooks of theirs. */
export function hookHandlers(context: Context) {
  const { db } = context
  return {
    /** @param isSystem of the site's hooks, only those that are, or are not, told of everything */
    list(owner: HookOwner, { page, total }: Listing, isSystem?: boolean): HookRecord[] {
      total(countHooks(db, owner, isSystem))
      return presentHooks(context, listHooks(db, owner, page, isSystem))
    },
    create: (owner: HookOwner, viewer: Member, body: CreateHookOption) => presentHook(context, createHook(context, viewer, owner, body)),
    get: (owner: HookOwner, id: string) => presentHook(context, getHook(context, owner, rowIdIn(id))),
    edit: (owner: HookOwner, viewer: Member, id: string, body: EditHookOption) => presentHook(context, editHook(context, viewer, owner, rowIdIn(id), body)),
    delete: (owner: HookOwner, id: string) => deleteHook(context.db, owner, rowIdIn(id)),
  }
}
