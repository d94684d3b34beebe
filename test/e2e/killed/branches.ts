import { expect } from 'bun:test'
import { builtExecutable } from '../../binary.ts'
import { turns } from '../../eventually.ts'
import type { Desk, Work } from './work.ts'

/** Where something is, as it was acknowledged, and as it would be after what nobody answered; undefined when it is not there. */
interface Whereabouts {
  is: string | undefined
  next: string | undefined
}

/** Branches that are made, renamed and deleted through the API: one of them is where it was said to be, and only there. */
export function branching(desk: Desk): Work {
  const branches = new Map<string, Whereabouts>()
  const place = '/repos/ada/branched/branches'

  async function change(id: string, next: string | undefined, line: string, body: unknown, status: number): Promise<void> {
    branches.set(id, { is: branches.get(id)?.is, next })
    await desk.expectStatus(line, body, status)
    branches.set(id, { is: next, next })
  }

  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'branched', auto_init: true }, 201)
    },
    async step(id) {
      const renamed = `renamed-${id}`
      await change(id, id, `POST ${place}`, { new_branch_name: id, old_ref_name: 'main' }, 201)
      await change(id, renamed, `PATCH ${place}/${id}`, { name: renamed }, 204)
      if (desk.random.below(3) > 0) await change(id, undefined, `DELETE ${place}/${renamed}`, undefined, 204)
    },
    async check() {
      const names = new Set((await desk.listAll<{ name: string }>(place)).map(({ name }) => name))
      for (const [id, { is, next }] of branches) {
        const found = [id, `renamed-${id}`].filter((name) => names.has(name))
        expect([id, found.length <= 1, found[0]]).toBeOneOf([
          [id, true, is],
          [id, true, next],
        ])
      }
      branches.clear()
    },
  }
}

/** Organizations with a team, a member and a repository, deleted one piece after the other: each has what it was said to have. */
export function organising(desk: Desk): Work {
  const stages = new Map<string, { is: number; next: number }>()

  async function reach<T>(name: string, next: number, line: string, body: unknown, status: number): Promise<T> {
    stages.set(name, { is: next - 1, next })
    const answer = await desk.expectStatus<T>(line, body, status)
    stages.set(name, { is: next, next })
    return answer
  }

  async function stageOf(name: string): Promise<number[]> {
    if ((await desk.ask(`GET /orgs/${name}`)).status === 404) return [0, 5]
    const teams = (await desk.ask<{ name: string; id: number }[]>(`GET /orgs/${name}/teams`)).body
    const crew = teams.find((team) => team.name === 'crew')
    if (!crew) return [1]
    if ((await desk.ask(`GET /teams/${crew.id}/members/admin`)).status === 404) return [2]
    const { status } = await desk.ask(`GET /repos/${name}/tool/contents/README.md`)
    return status === 200 ? [4] : [3]
  }

  return {
    async step(id) {
      const name = `o-${id}`
      await reach(name, 1, 'POST /orgs', { username: name }, 201)
      const team = await reach<{ id: number }>(name, 2, `POST /orgs/${name}/teams`, { name: 'crew', permission: 'write', units: ['repo.code'] }, 201)
      await reach(name, 3, `PUT /teams/${team.id}/members/admin`, undefined, 204)
      await reach(name, 4, `POST /orgs/${name}/repos`, { name: 'tool', auto_init: true }, 201)
      if (desk.random.below(2) === 0) return
      stages.set(name, { is: 4, next: 3 })
      await desk.expectStatus(`DELETE /repos/${name}/tool`, undefined, 204)
      stages.set(name, { is: 3, next: 5 })
      await desk.expectStatus(`DELETE /orgs/${name}`, undefined, 204)
      stages.set(name, { is: 5, next: 5 })
    },
    async check() {
      for (const [name, { is, next }] of stages) {
        const may = await stageOf(name)
        expect([name, may, may.includes(is) || may.includes(next)]).toEqual([name, may, true])
      }
      stages.clear()
    },
  }
}

/** The command line, which is killed as well, at any moment: an account is whole, with its token, or it is not there. */
export function commandingInVain(desk: Desk): Work {
  const tokens = new Map<string, string | undefined>()
  return {
    async step(id) {
      const name = `v-${id}`
      tokens.set(name, undefined)
      const args = [
        'admin',
        'user',
        'create',
        '--data',
        desk.forge.server.data,
        '--username',
        name,
        '--email',
        `${name}@example.org`,
        '--access-token',
        '--quiet',
      ]
      const child = Bun.spawn([await builtExecutable(), ...args], { env: { PATH: '' }, stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' })
      // At any moment of it, or after it.
      const killing = turns(1 + desk.random.below(250)).then(() => child.kill('SIGKILL'))
      const said = (await child.stdout.text()).trim()
      await child.exited
      await killing
      if (said !== '') tokens.set(name, said)
      // Nothing else tells this hand that the server is gone.
      await desk.ask('GET /version')
    },
    async check() {
      for (const [name, token] of tokens) {
        const { status } = await desk.command(`GET /users/${name}`)
        if (token === undefined)
          expect([name, status]).toBeOneOf([
            [name, 404],
            [name, 200],
          ])
        else expect([name, status, (await fetchAs(desk, token)).login]).toEqual([name, 200, name])
      }
      tokens.clear()
    },
  }
}

async function fetchAs(desk: Desk, token: string): Promise<{ login: string }> {
  const answer = await fetch(`${desk.forge.server.origin}/api/v1/user`, { headers: { Authorization: `token ${token}` } })
  return (await answer.json()) as { login: string }
}
