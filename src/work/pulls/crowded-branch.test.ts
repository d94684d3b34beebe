import { expect, test } from 'bun:test'
import { SHA1 } from '#git/objects/oid.ts'
import type { Tx } from '#kernel/db.ts'
import { RefHooks } from '#repositories/refs/hooks.ts'
import type { RefGuard } from '#repositories/refs/index.ts'
import { type Person, type TestForge, testForge } from '../../../test/harness.ts'
import { repositoryWithPeople } from '../../../test/worlds.ts'
import { push } from '../../doors/git-http/receive.fixture.ts'
import type { PullRequest } from './schema.ts'

const home = '/repos/ada/engine'
const emptyPack = (() => {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  return Buffer.concat([head, new Bun.CryptoHasher('sha1').update(head).digest()])
})()

/** Numbers that are the same in every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** Looks at what moves with eyes of its own, in the transaction in which it does. */
function witness(wrong: string[], counts: Record<string, number>): RefGuard<unknown> {
  return {
    follow(_context, tx: Tx, repo, changes, { merges }) {
      const rule = tx.find<{ enable_push: number; enable_status_check: number; protected_file_patterns: string }>(
        "SELECT * FROM branch_protection WHERE repo_id = ? AND rule_name = 'main'",
        repo.id,
      )
      for (const { name, before, after } of changes) {
        if (name !== 'refs/heads/main' || before === SHA1.zero || before === after) continue
        const isMerge = merges?.includes(name) === true
        counts[isMerge ? 'merges' : 'pushes'] = (counts[isMerge ? 'merges' : 'pushes'] ?? 0) + 1
        if (rule?.enable_push === 0 && !isMerge) wrong.push(`push to ${after}`)
        if (rule?.protected_file_patterns) wrong.push(`protected file in ${after}`)
        // Nobody says anything of any commit here.
        if (rule?.enable_status_check === 1 && isMerge) wrong.push(`unchecked merge ${after}`)
      }
      return []
    },
  }
}

test('while many push, merge, and change the rules at once, nothing moves that the rules of that moment forbid', async () => {
  await using forge = testForge()
  const people: Person[] = Object.values(await repositoryWithPeople(forge, { bob: 'write', cy: 'write', dan: 'write' }))
  const numbers = await pullsInto(forge, 24)
  const wrong: string[] = []
  const counts: Record<string, number> = {}
  forge.context.services.get(RefHooks).add(witness(wrong, counts))
  const rules = [{ enable_push: false }, { enable_push: true }, { enable_push: true, protected_file_patterns: '**' }, { enable_status_check: true }]
  const next = seeded(7)
  const deeds: (() => Promise<unknown>)[] = [
    async () => {
      await forge.asUser('ada').delete(`${home}/branch_protections/main`)
      if (next(3) > 0) await forge.asUser('ada').post(`${home}/branch_protections`, { rule_name: 'main', ...rules[next(rules.length)] })
    },
    () => forge.asUser(people[next(4)]).post(`${home}/contents/file-${next(1e9)}`, { content: 'eA==', branch: 'main' }),
    async () => {
      const [main, side] = await Promise.all(['main', 'topic-0'].map((name) => forge.get<{ commit: { id: string } }>(`${home}/branches/${name}`)))
      const commands = [`${main?.body.commit.id} ${side?.body.commit.id} refs/heads/main`]
      return push(forge, people[next(4)] as Person, 'ada/engine', { commands, pack: emptyPack })
    },
    () => forge.asUser(people[next(4)]).post(`${home}/pulls/${numbers[next(numbers.length)]}/merge`, { do: 'merge' }),
  ]
  const actor = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) await (deeds[next(deeds.length)] as () => Promise<unknown>)()
  }
  await Promise.all(Array.from({ length: 10 }, () => actor(15)))
  expect(wrong).toEqual([])
  expect([(counts.merges ?? 0) > 0, (counts.pushes ?? 0) > 0]).toEqual([true, true])
})

async function pullsInto(forge: TestForge, count: number): Promise<number[]> {
  const numbers: number[] = []
  for (let i = 0; i < count; i++) {
    const branch = `topic-${i}`
    await forge.asUser('ada').post(`${home}/contents/${branch}`, { content: 'eA==', branch: 'main', new_branch: branch })
    const { body } = await forge.asUser('ada').post<PullRequest>(`${home}/pulls`, { title: branch, head: branch, base: 'main' })
    numbers.push(body.number)
  }
  return numbers
}
