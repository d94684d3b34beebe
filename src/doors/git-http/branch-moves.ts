import { type Oid, SHA1 } from '#git/objects/oid.ts'
import type { RefCommand } from '#git/protocol/update-request.ts'
import { HEADS } from '#git/refs/names.ts'
import { breathe, isDue } from '#kernel/breathe.ts'

/** How many commands are looked at in one go. */
const SLICE = 1000

/** Where a push moves branches that are there, each pair of commits once: very many branches often move alike. */
export class BranchMoves {
  readonly pairs: { name: string; old: Oid; new: Oid }[] = []
  /** By the command's place, that of its pair; -1 for other commands. */
  readonly #pairOf: Int32Array
  #fastForward: ReadonlySet<number> = new Set()

  private constructor(count: number) {
    this.#pairOf = new Int32Array(count).fill(-1)
  }

  static async of(commands: readonly RefCommand[]): Promise<BranchMoves> {
    const moves = new BranchMoves(commands.length)
    const known = new Map<string, number>()
    for (const [i, command] of commands.entries()) {
      if (movesBranch(command)) moves.#pairOf[i] = moves.#add(command, known)
      if (i % SLICE === 0 && isDue()) await breathe()
    }
    return moves
  }

  #add({ name, old, new: oid }: RefCommand, known: Map<string, number>): number {
    const key = old + oid
    const place = known.get(key) ?? this.pairs.push({ name, old, new: oid }) - 1
    known.set(key, place)
    return place
  }

  /** Says which pairs lose nothing, by the first of the refs that move so. */
  setFastForward(names: readonly string[]): void {
    const all = new Set(names)
    this.#fastForward = new Set(this.pairs.keys().filter((place) => all.has(this.pairs[place]?.name ?? '')))
  }

  /** Whether the command at this place moves a branch and loses nothing. */
  isFastForward(command: number): boolean {
    return this.#fastForward.has(this.#pairOf[command] as number)
  }
}

function movesBranch({ name, old, new: oid }: RefCommand): boolean {
  return old !== SHA1.zero && oid !== SHA1.zero && name.startsWith(HEADS)
}

/** What refs are to point to, each once. */
export async function tipsOf(commands: readonly RefCommand[], proposals: readonly { command: RefCommand }[]): Promise<Oid[]> {
  const tips = new Set<Oid>(proposals.map(({ command }) => command.new))
  for (const [i, command] of commands.entries()) {
    if (command.new !== SHA1.zero) tips.add(command.new)
    if (i % SLICE === 0 && isDue()) await breathe()
  }
  tips.delete(SHA1.zero)
  return [...tips]
}
