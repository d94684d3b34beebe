import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually, turns } from '../eventually.ts'
import { git, tryGit } from '../git.ts'
import { soak } from '../soak.ts'
import { addressOf, commitFiles, forgeForStories, type Member, newWorkingCopy, story } from './forge.ts'

const PEOPLE = soak(10, 20)
const ROUNDS = soak(2, 10)

/** A rule, and several people who merge, push and approve at the same moment. */
story(`${PEOPLE} people at one pull request`, () => {
  const forge = forgeForStories()
  const copy = () => join(forge.directory, 'copy')
  const here = (...args: string[]) => git(args, { cwd: copy() })
  const base = '/repos/ada/engine'
  const members: Member[] = []
  const member = (i: number) => members[i % members.length] as Member
  const call = async (line: string, as: Member, body?: unknown) => {
    const answer = await forge.api(line, as, body)
    return { status: answer.status, text: await answer.text() }
  }
  const json = async <T>(line: string, as: Member, body?: unknown): Promise<T> => JSON.parse((await call(line, as, body)).text) as T

  /** A pull request into `main`, of one commit to a file of its own, whose branch is checked out. */
  async function openPull(name: string) {
    await here('checkout', '--quiet', '-B', name, 'origin/main')
    await commitFiles(copy(), `${name} 0`, { [`${name}.txt`]: '0\n' })
    await here('push', '--quiet', 'origin', name)
    const { number } = await json<{ number: number }>(`POST ${base}/pulls`, forge.ada, { title: name, head: name, base: 'main' })
    return { number, pull: `${base}/pulls/${number}` }
  }

  beforeAll(async () => {
    await newWorkingCopy(copy())
    await commitFiles(copy(), 'Start', { 'README.md': '# Engine\n' })
    await here('remote', 'add', 'origin', forge.url('ada/engine', forge.ada))
    await here('push', '--quiet', '-u', 'origin', 'main')
    for (let i = 0; i < PEOPLE / 2; i++) {
      members.push(await forge.join(`person-${i}`))
      await call(`PUT ${base}/collaborators/person-${i}`, forge.ada, { permission: 'write' })
    }
    const rule = { rule_name: 'main', required_approvals: 1, dismiss_stale_approvals: true, enable_push: false }
    expect((await call(`POST ${base}/branch_protections`, forge.ada, rule)).status).toBe(201)
  }, 120_000)

  test('who approve, merge and push at once: it is merged once or not at all, and never what nobody approved', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await here('fetch', '--quiet', 'origin')
      const { number, pull } = await openPull(`race-${round}`)
      const pushed = await commitFiles(copy(), `race-${round} 1`, { [`race-${round}.txt`]: '1\n' })
      const push = tryGit(['push', addressOf(forge.server, 'ada/engine', member(1)), `${pushed}:refs/heads/race-${round}`], { cwd: copy() })
      const direct = tryGit(['push', addressOf(forge.server, 'ada/engine', member(2)), `${pushed}:refs/heads/main`], { cwd: copy() })
      const approvals = [3, 4].map((i) => call(`POST ${pull}/reviews`, member(i), { event: 'APPROVED' }))
      const answers = await Promise.all(
        Array.from({ length: PEOPLE - 4 }, async (_, i) => {
          // One after another, while the pushes and the approvals are on their way.
          await turns(i * 8)
          return call(`POST ${pull}/merge`, member(i), { Do: 'merge' })
        }),
      )
      expect((await direct).exitCode).toBe(1)
      await Promise.all([push, ...approvals])
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => ![200, 405, 409].includes(status))).toEqual([])
      const landed = statuses.filter((status) => status === 200).length
      const { merged, merge_commit_sha: sha } = await json<{ merged: boolean; merge_commit_sha: string }>(`GET ${pull}`, forge.ada)
      expect(landed).toBe(merged ? 1 : 0)
      await here('fetch', '--quiet', 'origin')
      const landings = await here('log', '--first-parent', '--merges', '--format=%H', `--grep=(#${number})`, 'origin/main')
      expect(landings).toBe(merged ? sha : '')
      if (!merged) continue
      // An approval of what landed was there when it did.
      const head = await here('rev-parse', `${sha}^2`)
      const reviews = await json<{ state: string; commit_id: string; dismissed: boolean; stale: boolean }[]>(`GET ${pull}/reviews`, forge.ada)
      expect(reviews).toContainEqual(expect.objectContaining({ state: 'APPROVED', commit_id: head, dismissed: false }))
      const entries = await json<{ type: string }[]>(`GET ${base}/issues/${number}/timeline`, forge.ada)
      expect(entries.filter(({ type }) => type === 'merge_pull')).toHaveLength(1)
    }
  }, 120_000)

  test('who merge as many of them into one branch: each lands once, and nothing of any is lost', async () => {
    await here('fetch', '--quiet', 'origin')
    const pulls: string[] = []
    for (let i = 0; i < PEOPLE; i++) pulls.push((await openPull(`many-${i}`)).pull)
    await Promise.all(pulls.map((pull, i) => call(`POST ${pull}/reviews`, member(i), { event: 'APPROVED' })))
    const landAll = async (pull: string, i: number) => {
      await eventually(async () => {
        const { status } = await call(`POST ${pull}/merge`, member(i + 1), { Do: i % 2 === 0 ? 'merge' : 'squash' })
        expect([200, 405, 409]).toContain(status)
        return status === 200
      }, `${pull} to be merged`)
    }
    await Promise.all(pulls.map(landAll))
    await here('fetch', '--quiet', 'origin')
    const files = (await here('ls-tree', '--name-only', 'origin/main')).split('\n').filter((name) => name.startsWith('many-'))
    expect(files).toHaveLength(PEOPLE)
    expect(await here('rev-list', '--first-parent', '--count', '--grep=many-', 'origin/main')).toBe(String(PEOPLE))
  }, 120_000)
})
