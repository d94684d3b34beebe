import type { RepoAccess } from '#access/index.ts'
import { Locked } from '#kernel/errors.ts'

/** @throws Locked for archived repositories and mirrors: nobody edits their files */
export function refuseEditing({ row, owner }: RepoAccess): void {
  if (row.archived_at !== null || row.is_mirror === 1) throw new Locked(`${owner.name}/${row.name} is not allowed to edit`)
}
