import type { Tx } from '#kernel/db.ts'

/** Gives a repository what a template has; `doerId` is the account that has it made. */
export type TemplatePart = (tx: Tx, fromId: number, toId: number, doerId: number, now: number) => void

/** What rooms above this one keep of a repository, and copy to one that is made from it, by the field of the request that asks for it. */
export class TemplateParts {
  readonly #parts = new Map<'webhooks' | 'protected_branch', TemplatePart>()

  add(field: 'webhooks' | 'protected_branch', copy: TemplatePart): void {
    this.#parts.set(field, copy)
  }

  get all(): ReadonlyMap<'webhooks' | 'protected_branch', TemplatePart> {
    return this.#parts
  }
}
