import { isLoss } from '#git/errors.ts'
import { passedRepo } from './gated.ts'

/** Tells who looks after git stores that something was asked for which one of them has lost. */
export class Losses {
  /** Set by whoever wants to hear of them. */
  onLoss: (repoId: number) => void = () => {}
}

/** What a request has failed with, if that tells of its repository. */
export function noteLoss({ services }: { services: { get(kind: typeof Losses): Losses } }, error: unknown, request: Request): void {
  const repo = isLoss(error) ? passedRepo(request) : undefined
  if (repo) services.get(Losses).onLoss(repo.row.id)
}
