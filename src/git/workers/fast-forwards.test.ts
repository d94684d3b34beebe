import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../test/generate-history.ts'
import { git, initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { outcome } from '../../../test/outcome.ts'
import { property } from '../../../test/seeds.ts'
import { RandomHistory } from '../history/random-history.fixture.ts'
import { defaultLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { OpenRepo } from './open-repos.ts'
import { type ReceiveInput, type ReceiveOutput, streamTasks } from './stream-tasks.ts'
import type { TaskIo } from './task-io.ts'

/**
 * Whether a push moves a branch forward or throws commits of others away is found out before anybody sees its objects. A wrong yes would let
 * a forced push pass a branch that forbids it.
 */

function io(pack: Uint8Array): TaskIo {
  return {
    incoming: (async function* () {
      yield pack
    })(),
    signal: new AbortController().signal,
    send: async () => {},
    spare: () => undefined,
    notify: () => {},
    fork: async () => [],
    withMemory: (_bytes, work) => work(),
  }
}

/** A repository that has what `had` reach of a history, and nothing else. */
class Receiving {
  readonly #directory = temporaryDirectory()
  readonly path = join(this.#directory.path, 'repo.git')
  readonly repo: OpenRepo
  readonly #history: RandomHistory
  #pushes = 0

  constructor(history: RandomHistory, had: readonly Oid[]) {
    this.#history = history
    mkdirSync(this.path)
    initBare(this.path)
    const pack = git(['pack-objects', '--revs', '--stdout', '-q'], { cwd: history.gitDir, stdin: had.join('\n') })
    git(['index-pack', '--stdin', '--strict'], { cwd: this.path, stdin: pack })
    this.repo = new OpenRepo({ path: this.path, limits: defaultLimits })
  }

  /** Where the push's objects lie. */
  get quarantine(): string {
    return join(this.path, 'objects', `tmp_push_${this.#pushes}`)
  }

  async push(had: readonly Oid[], input: Omit<ReceiveInput, 'quarantine'>): Promise<ReceiveOutput> {
    const stdin = [...input.tips, ...had.map((oid) => `^${oid}`)].join('\n')
    const pack = git(['pack-objects', '--revs', '--thin', '--stdout', '-q'], { cwd: this.#history.gitDir, stdin })
    this.#pushes++
    return streamTasks.receive(this.repo, { ...input, quarantine: this.quarantine }, io(pack))
  }

  [Symbol.dispose](): void {
    this.repo.close()
    this.#directory[Symbol.dispose]()
  }
}

function isAncestor(history: RandomHistory, old: Oid, next: Oid): boolean {
  return Bun.spawnSync(['git', 'merge-base', '--is-ancestor', old, next], { cwd: history.gitDir }).exitCode === 0
}

const shape = (seed: number, random: Random) => ({ seed, commits: 14 + random.below(20), merges: 0.35, roots: 0.1, octopuses: 0.1, equalDates: 0.3, skew: 0.2 })

describe('what a push moves forward is what git calls an ancestor', () => {
  property('whether its commits stand right upon the branch, or far above it, or beside it', 6, async (random, seed) => {
    using history = new RandomHistory(shape(seed, random))
    const had = history.oids.slice(0, 3 + random.below(6))
    using receiving = new Receiving(history, had)
    for (let round = 0; round < 4; round++) {
      const moved = Array.from({ length: 1 + random.below(5) }, (_, i) => ({
        name: `refs/heads/b${i}`,
        old: random.pick(had),
        // Often a child, which is the short way.
        new: random.chance(0.5) ? (history.oids[Math.min(history.oids.length - 1, had.length + random.below(3))] ?? history.pick()) : history.pick(),
      }))
      const tips = [...new Set(moved.map((one) => one.new))]
      const { fastForward, pack } = await receiving.push(had, { tips, moved: moved as ReceiveInput['moved'] })
      expect(fastForward.toSorted()).toEqual(
        moved
          .filter((one) => isAncestor(history, one.old, one.new as Oid))
          .map(({ name }) => name)
          .toSorted(),
      )
      expect(pack.tips.map(({ oid, time }) => [oid, time])).toEqual(tips.map((oid) => [oid as Oid, Number(history.git('log', '-1', '--format=%ct', oid))]))
    }
  })

  test('a branch that the repository has not, as its row says, is not moved forward', async () => {
    using history = new RandomHistory({ seed: 3, commits: 6, merges: 0 })
    const [first, second, third] = history.oids as [Oid, Oid, Oid]
    using receiving = new Receiving(history, [first])
    const moved = [
      { name: 'refs/heads/known', old: first, new: second },
      { name: 'refs/heads/lost', old: 'f'.repeat(40) as Oid, new: third },
    ]
    const { fastForward } = await receiving.push([first], { tips: [second, third], moved })
    expect(fastForward).toEqual(isAncestor(history, first, second) ? ['refs/heads/known'] : [])
  })

  test('a tag that leads to a commit is no commit, and moves nothing forward by itself', async () => {
    using history = new RandomHistory({ seed: 8, commits: 4, merges: 0 })
    const [base, next] = [history.oids[0], history.oids.at(-1)] as [Oid, Oid]
    git(['-c', 'user.name=T', '-c', 'user.email=t@e', 'tag', '-a', '-m', 'x', 'v1', next], { cwd: history.gitDir })
    const tag = history.git('rev-parse', 'v1').trim() as Oid
    using receiving = new Receiving(history, [base])
    const { pack } = await receiving.push([base], { tips: [tag], moved: [] })
    expect(pack.tips).toEqual([{ oid: tag, type: 'tag', peeled: next }])
  })

  test('what commits say is told of those that are asked about, those stored before among them, and of no tag', async () => {
    using history = new RandomHistory({ seed: 5, commits: 8, merges: 0 })
    const [base, next] = [history.oids[0], history.oids.at(-1)] as [Oid, Oid]
    using receiving = new Receiving(history, [base])
    const { messages } = await receiving.push([base], { tips: [next], moved: [], described: [base, next] })
    const said = (oid: Oid) => history.git('log', '-1', '--format=%B', oid).trimEnd()
    expect(Object.entries(messages).map(([oid, message]) => [oid, message.trimEnd()])).toEqual([
      [base, said(base)],
      [next, said(next)],
    ])
  })

  test('a push that fails leaves no quarantine', async () => {
    using history = new RandomHistory({ seed: 6, commits: 5, merges: 0 })
    const [base, next] = [history.oids[0], history.oids.at(-1)] as [Oid, Oid]
    using receiving = new Receiving(history, [base])
    const quarantine = join(receiving.path, 'objects', 'tmp_failing')
    const failing = streamTasks.receive(receiving.repo, { quarantine, tips: [next], moved: [] }, io(Buffer.from('PACK')))
    expect(await outcome(failing)).toThrow('Cannot accept pack')
    await failing.catch(() => {})
    expect(existsSync(quarantine)).toBe(false)
    const { fastForward } = await receiving.push([base], { tips: [next], moved: [{ name: 'refs/heads/a', old: base, new: next }] })
    expect([fastForward.length === 1, existsSync(receiving.quarantine)]).toEqual([isAncestor(history, base, next), true])
  })
})
