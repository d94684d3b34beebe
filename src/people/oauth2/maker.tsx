import { accessStore, canSeeAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Visit } from '#web/index.ts'

/** Says who has made an application, as far as the viewer may know of them. @param ownerId null for one that every server knows */
export function Maker({ context, visit, ownerId }: { context: Context; visit: Visit; ownerId: number | null }) {
  if (ownerId === null) return <>It is a program that this server knows from the start.</>
  const owner = accessStore.findUserById(context.db, ownerId)
  if (!owner || !canSeeAccount(context.db, visit.viewer, owner)) return <>It was made by somebody whom you cannot see.</>
  return (
    <>
      It was made by <a href={visit.to`/${owner.name}`}>{owner.name}</a>.
    </>
  )
}
