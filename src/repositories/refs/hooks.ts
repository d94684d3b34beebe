import type { Context } from '#context.ts'
import type { BranchEditing } from './branch-editing.ts'
import type { MoveFinder, RefGuard } from './ref-guard.ts'

/** Registers what rooms above this one do with every move of a ref. */
export class RefHooks {
  readonly guards: RefGuard<Context>[] = []
  readonly finders: MoveFinder<Context>[] = []

  /** @param find finds out before the transaction what the guard will need */
  add(guard: RefGuard<Context>, find?: MoveFinder<Context>['find']): void {
    this.guards.push(guard)
    if (find) this.finders.push({ guard, find })
  }
}

/** Registers who lets people push to branches of repositories that they may only read. */
export class BranchEditors {
  readonly #editors: BranchEditing[] = []

  add(editor: BranchEditing): void {
    this.#editors.push(editor)
  }

  listGrants: BranchEditing['listGrants'] = (db, repoId, branch) => this.#editors.flatMap((editor) => editor.listGrants(db, repoId, branch))
}
