import { SHA1 } from '#git/objects/oid.ts'
import type { Db } from '#kernel/db.ts'
import type { RuleBook } from './rule-book.ts'
import type { BranchRule } from './store.ts'

/** What was found out about one branch that moves, for judging it by a rule as that was by then. */
export interface MoveFact {
  from: string
  to: string
  /** The rule's patterns that its files were held against. */
  protectedPatterns: string
  unprotectedPatterns: string
  /** A changed file that is protected. */
  protectedFile: string | undefined
  /** All that changed is unprotected. */
  isFree: boolean
  /** What its signatures were found to be; undefined when nobody looked. */
  signatures: { unverified: string | undefined; isStill: (db: Db) => boolean } | undefined
}

export interface MoveFacts {
  /** By the name of the ref. */
  facts: ReadonlyMap<string, MoveFact>
  /** The rules as they were, which know by now which branches they are about. */
  book: RuleBook
}

interface Update {
  old?: string
  new: string
}

export type Needs = Pick<MoveFact, 'protectedPatterns' | 'unprotectedPatterns'> & { signatures: boolean }

/**
 * What a rule needs to know of a move that rows do not tell; undefined when nothing. Of a merge it does not matter what is unprotected, and of one
 * that passes over the rule not even what is protected.
 */
export function needsOf(rule: BranchRule, update: Update, { isMerge, isOverride }: { isMerge: boolean; isOverride: boolean }): Needs | undefined {
  if (update.new === SHA1.zero || update.new === update.old) return undefined
  const needs = {
    protectedPatterns: isMerge && isOverride ? '' : rule.protected_file_patterns,
    unprotectedPatterns: isMerge ? '' : rule.unprotected_file_patterns,
    signatures: rule.require_signed_commits === 1,
  }
  return needs.protectedPatterns !== '' || needs.unprotectedPatterns !== '' || needs.signatures ? needs : undefined
}

/** Whether a rule needs to know anything of any move that rows do not tell. */
export function asksForFacts(rule: BranchRule): boolean {
  return rule.require_signed_commits === 1 || rule.protected_file_patterns !== '' || rule.unprotected_file_patterns !== ''
}

/** Whether a fact tells what is needed, of the same move. */
export function tells(fact: MoveFact | undefined, needs: Needs, update: Update): fact is MoveFact {
  if (fact === undefined || fact.from !== update.old || fact.to !== update.new) return false
  if (needs.protectedPatterns !== '' && fact.protectedPatterns !== needs.protectedPatterns) return false
  if (needs.unprotectedPatterns !== '' && fact.unprotectedPatterns !== needs.unprotectedPatterns) return false
  return !needs.signatures || fact.signatures !== undefined
}
