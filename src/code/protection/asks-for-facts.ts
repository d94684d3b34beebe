import type { Context } from '#context.ts'
import type { ComingMove } from '#repositories/refs/index.ts'
import { asksForFacts, type MoveFacts } from './move-fact.ts'
import { listRules } from './store.ts'

/** So many branches are matched with globs while others wait. */
const FEW = 1000

/** Finds out what the rules of a repository will ask of a move; undefined, at the cost of one query, when that is nothing. */
export function findMoveFacts(context: Context, coming: ComingMove): Promise<MoveFacts> | undefined {
  const rules = listRules(context.db, coming.repoId)
  if (rules.length === 0 || (coming.updates.length <= FEW && !rules.some(asksForFacts))) return undefined
  return import('./find-facts.ts').then(({ findFacts }) => findFacts(context, coming, rules))
}
