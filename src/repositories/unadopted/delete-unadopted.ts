import { accessStore } from '#access/index.ts'
import type { Context } from '#context.ts'
import { diskTroubleOf } from '#kernel/disk-trouble.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { claimPlace, removePlace } from './places.ts'
import type { Unadopted } from './unadopted.ts'

/** @throws NotFound when there is a repository of that name; Conflict when it is being adopted; Unprocessable when the system refuses */
export function deleteUnadopted(context: Pick<Context, 'db' | 'tasks'>, { owner, name, fullName, path }: Unadopted): void {
  if (accessStore.findRepo(context.db, owner.id, name)) throw new NotFound()
  using _claim = claimPlace(path)
  try {
    removePlace(context, path)
  } catch (cause) {
    if (diskTroubleOf(cause) === 'lost') throw cause
    throw new Unprocessable(`Cannot delete ${fullName}: ${(cause as NodeJS.ErrnoException).code ?? 'the operating system refused'}`, { cause })
  }
}
