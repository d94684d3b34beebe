import { accessStore, canSeeAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Visit } from '#web/index.ts'
import { isBuiltIn } from './clients.ts'
import type { ApplicationRow } from './store.ts'

/** Says who has made an application, as far as the viewer may know of them. */
export function Maker({ context, visit, of }: { context: Context; visit: Visit; of: Pick<ApplicationRow, 'client_id' | 'owner_id'> }) {
  if (isBuiltIn(of)) return <>It is a program that this server knows from the start.</>
  if (of.owner_id === null) return <>It was made by the administrators of this server.</>
  const owner = accessStore.findUserById(context.db, of.owner_id)
  if (!owner || !canSeeAccount(context.db, visit.viewer, owner)) return <>It was made by somebody whom you cannot see.</>
  return (
    <>
      It was made by <a href={visit.to`/${owner.name}`}>{owner.name}</a>.
    </>
  )
}
