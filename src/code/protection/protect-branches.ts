import { SHA1 } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import type { Tx } from '#kernel/db.ts'
import type { GuardedRepo, JudgedMove, RefMove, RefUpdate, Refusal } from '#repositories/refs/index.ts'
import { asksForFacts, type MoveFact, type MoveFacts, type Needs, needsOf, tells } from './move-fact.ts'
import { type Actor, mayForcePush, mayPush } from './permits.ts'
import { RuleBook } from './rule-book.ts'
import { type BranchRule, findRuleByName, listRules, updateRule } from './store.ts'

const none: ReadonlySet<string> = new Set()

/**
 * Branches move as their rules let them, whoever moves them and whichever way: a `RefGuard`, loaded with every start, so it takes little along.
 * Who may merge what, and after which checks and reviews, was judged by who merges; what is merged is judged here.
 */
export const branchGuard = {
  judge(_context: unknown, tx: Tx, repo: GuardedRepo, move: JudgedMove) {
    let judged: BranchMoves | undefined
    const moves = () => {
      judged ??= new BranchMoves(tx, repo, move)
      return judged
    }
    // What a mirror has comes from elsewhere.
    const refusalOf = (update: RefUpdate) => (update.name.startsWith(HEADS) && repo.is_mirror === 0 ? moves().refusalOf(update) : undefined)
    return Object.assign(refusalOf, { basis: () => (repo.is_mirror === 0 ? moves().basis : 'mirror') })
  },

  followed: (): ReadonlySet<string> => none,

  /** A rule that is about one branch alone goes along when that gets another name. */
  follow(_context: unknown, tx: Tx, repo: GuardedRepo, _changes: unknown, { rename }: RefMove): [] {
    const rule = rename && findRuleByName(tx, repo.id, rename.from.slice(HEADS.length))
    if (rule) updateRule(tx, rule.id, { rule_name: rename.to.slice(HEADS.length) })
    return []
  },
}

/** The branches that one request moves, judged by the rules as they are in its transaction. */
class BranchMoves {
  readonly #tx: Tx
  readonly #move: JudgedMove
  readonly #book: RuleBook
  readonly #facts: MoveFacts | undefined
  readonly #answers = new Map<string, boolean>()
  #mover: Actor | undefined

  constructor(tx: Tx, repo: GuardedRepo, move: JudgedMove) {
    this.#tx = tx
    this.#move = move
    this.#facts = move.facts?.get(branchGuard) as MoveFacts | undefined
    this.#book = new RuleBook(listRules(tx, repo.id), this.#facts?.book)
  }

  /** Undefined where what was found out about each branch counts. */
  get basis(): string | undefined {
    const { rules } = this.#book
    if (rules.some(asksForFacts)) return undefined
    return JSON.stringify(rules.map((rule) => [rule, this.#may(mayPush, rule), this.#may(mayForcePush, rule), this.#actor]))
  }

  refusalOf(update: RefUpdate): Refusal | undefined {
    if (this.#book.rules.length === 0) return undefined
    const branch = update.name.slice(HEADS.length)
    const { rename } = this.#move
    const rule = rename?.to === update.name ? this.#ruleOfNewName(rename.to) : this.#book.of(branch)
    if (rule === undefined || update.new === update.old) return undefined
    const reason = rename
      ? this.#whyNoRename(rule, branch, update)
      : update.new === SHA1.zero
        ? `branch ${branch} is protected from deletion`
        : this.#whyNot(rule, branch, update)
    return reason === undefined || this.#isElsewhere(update) ? undefined : { reason, rule: rule.rule_name }
  }

  /** It will be refused for that, which says more than a rule. */
  #isElsewhere({ name, old }: RefUpdate): boolean {
    return old !== undefined && old !== (this.#move.tipOf(name) ?? SHA1.zero)
  }

  #whyNot(rule: BranchRule, branch: string, update: RefUpdate): string | undefined {
    const isNew = update.old === SHA1.zero
    const isForced = !isNew && update.fastForward !== true
    const { merges, isOverride = false } = this.#move
    const isMerge = merges?.includes(update.name) === true
    if (isForced && rule.enable_force_push === 0) return `branch ${branch} is protected from force push`
    const needs = needsOf(rule, update, { isMerge, isOverride })
    const fact = needs && this.#factOf(update, needs)
    if (fact?.signatures?.unverified) return `branch ${branch} is protected from unverified commit ${fact.signatures.unverified}`
    if (needs?.protectedPatterns && fact?.protectedFile !== undefined)
      return `branch ${branch} is protected from changing file ${fact.protectedFile.slice(0, 1000)}`
    if (isMerge) return undefined
    if (isForced) return this.#may(mayForcePush, rule) ? undefined : `Not allowed to force-push to protected branch ${branch}`
    if (this.#may(mayPush, rule) || (!isNew && fact?.isFree)) return undefined
    return `Not allowed to push to protected branch ${branch}`
  }

  /** A branch with a rule of its own is renamed by who administers it; one that a glob protects is not. What it is renamed to is made. */
  #whyNoRename(rule: BranchRule, branch: string, { new: oid }: RefUpdate): string | undefined {
    if (oid === SHA1.zero) return rule.rule_name === branch && this.#actor.isAdmin ? undefined : `branch ${branch} is protected from deletion`
    const isTaken = rule.rule_name === branch && this.#ownRule !== undefined
    return !isTaken && this.#may(mayPush, rule) ? undefined : `Not allowed to push to protected branch ${branch}`
  }

  /** The rule that comes along with a branch that is renamed. */
  get #ownRule(): BranchRule | undefined {
    const from = this.#move.rename?.from.slice(HEADS.length)
    return this.#book.rules.find(({ rule_name: name }) => name === from)
  }

  /** Which of the others holds for the new name. */
  #ruleOfNewName(to: string): BranchRule | undefined {
    const own = this.#ownRule
    return new RuleBook(this.#book.rules.filter((rule) => rule !== own)).of(to.slice(HEADS.length))
  }

  /** What was found out, if that is still what is asked; nothing of what will not move anyway. @throws when it has to be found out anew */
  #factOf(update: RefUpdate, needs: Needs): MoveFact | undefined {
    const fact = this.#facts?.facts.get(update.name)
    if (fact === undefined && this.#isElsewhere(update)) return undefined
    if (!tells(fact, needs, update) || fact.signatures?.isStill(this.#tx) === false) return this.#move.askAgain()
    return fact
  }

  /** Looked up once for all branches that a rule is about. */
  #may(permit: typeof mayPush, rule: BranchRule): boolean {
    const key = `${permit === mayPush ? 'push' : 'force'} ${rule.id}`
    const answer = this.#answers.get(key) ?? permit(this.#tx, rule, this.#actor)
    this.#answers.set(key, answer)
    return answer
  }

  get #actor(): Actor {
    const { actorId, byDeployKey } = this.#move
    this.#mover ??= byDeployKey ? { id: actorId, canWrite: true, isAdmin: false, byDeployKey } : { id: actorId, ...this.#move.rights() }
    return this.#mover
  }
}
