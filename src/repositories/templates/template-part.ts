import type { Tx } from '#kernel/db.ts'

/** Gives a repository what a template has; `doerId` is who has it made. */
export type TemplatePart = (tx: Tx, fromId: number, toId: number, doerId: number, now: number) => void

/** What rooms above this one keep of a repository, and one that is made from it can have, too. */
export interface TemplateParts {
  webhooks: TemplatePart
  protected_branch: TemplatePart
}
