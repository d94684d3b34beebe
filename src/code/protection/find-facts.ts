import type { Context } from '#context.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { type ComingMove, findRef, type RefUpdate, tipsUnder } from '#repositories/refs/index.ts'
import { patternsOf } from './find-rule.ts'
import { findUnverified } from './find-unverified.ts'
import { type MoveFact, type MoveFacts, type Needs, needsOf } from './move-fact.ts'
import { RuleBook } from './rule-book.ts'
import type { BranchRule } from './store.ts'

/** Branches of one push that rules ask to look into. */
const MAX_ASKED = 1000

interface Asked {
  update: RefUpdate & { old: Oid }
  needs: Needs
}

/** In a worker, but for whose keys the signatures are. @throws Unprocessable when it is too much for one push */
export async function findFacts(context: Context, coming: ComingMove, rules: readonly BranchRule[]): Promise<MoveFacts> {
  const book = new RuleBook(rules)
  const asked = await whatIsAsked(context, coming, book)
  if (asked.length === 0) return { facts: new Map(), book }
  if (asked.length > MAX_ASKED) throw new Unprocessable(`Too many protected branches in one push: push at most ${MAX_ASKED} at a time`)
  const { repoId, packPaths } = coming
  const known = asked.some(({ update }) => update.old === SHA1.zero) ? await tipsUnder(context.db, repoId, HEADS) : []
  const questions = asked.map(({ update: { old, new: to }, needs }) => ({
    from: old === SHA1.zero ? undefined : old,
    to,
    known: old === SHA1.zero ? known : [],
    forbidden: patternsOf(needs.protectedPatterns),
    free: patternsOf(needs.unprotectedPatterns),
    signatures: needs.signatures,
  }))
  const answers = await context.git.run('lookAtMoves', repoId, { packPaths, questions })
  const facts = new Map<string, MoveFact>()
  for (const [i, { update, needs }] of asked.entries()) {
    const answer = answers[i]
    if (answer === undefined) throw new Error('A ref update was not checked')
    const signatures = needs.signatures ? await findUnverified(context, { repoId, packPaths }, answer) : undefined
    const files = { protectedFile: answer.forbiddenFile, isFree: answer.isFree }
    facts.set(update.name, { from: update.old, to: update.new, ...needs, ...files, signatures })
  }
  return { facts, book }
}

/** Of a branch that is elsewhere by now nothing is asked: it will not move. */
async function whatIsAsked({ db }: Pick<Context, 'db'>, { repoId, updates, merges, isOverride = false }: ComingMove, book: RuleBook): Promise<Asked[]> {
  const asked: Asked[] = []
  for (const update of updates) {
    if (isDue()) await breathe()
    const { name, old } = update
    const rule = name.startsWith(HEADS) && old !== undefined ? book.of(name.slice(HEADS.length)) : undefined
    const needs = rule && needsOf(rule, update, { isMerge: merges?.includes(name) === true, isOverride })
    if (needs && old !== undefined && (findRef(db, repoId, name)?.oid ?? SHA1.zero) === old) asked.push({ update: { ...update, old }, needs })
  }
  return asked
}
