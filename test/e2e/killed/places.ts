import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runBinary } from '../../binary.ts'
import { eventually, turns } from '../../eventually.ts'
import { git } from '../../git.ts'
import { ed25519Key } from '../../ssh-keys.ts'
import { commitFiles, newWorkingCopy } from '../forge.ts'
import type { Desk, Work } from './work.ts'

/** Where a repository was said to be, and where it would be after what nobody answered. */
interface Life {
  /** Full names; undefined when it is not there. */
  is: string | undefined
  next: string | undefined
}

/** Repositories that are made in every way, renamed, handed over and deleted. */
export function moving(desk: Desk): Work {
  const lives = new Map<string, Life>()
  const ways = (name: string): [line: string, body: unknown, status: number][] => [
    ['POST /user/repos', { name, auto_init: true, license: 'MIT' }, 201],
    ['POST /repos/sources/origin/forks', { name }, 202],
    ['POST /repos/ada/template/generate', { owner: 'ada', name, git_content: true, labels: true }, 201],
  ]

  /** Asks for a change, and notes what is true from the answer on. */
  async function change(id: string, next: string | undefined, line: string, body: unknown, status: number): Promise<void> {
    const is = lives.get(id)?.is
    lives.set(id, { is, next })
    await desk.expectStatus(line, body, status)
    lives.set(id, { is: next, next })
  }

  return {
    async prepare() {
      await desk.expectStatus('POST /orgs', { username: 'movers' }, 201)
      await desk.expectStatus('POST /user/repos', { name: 'template', auto_init: true, template: true }, 201)
      await desk.expectStatus('POST /orgs/movers/repos', { name: 'base', auto_init: true }, 201)
      await desk.expectStatus('POST /orgs', { username: 'sources' }, 201)
      await desk.expectStatus('POST /orgs/sources/repos', { name: 'origin', auto_init: true }, 201)
    },
    async step(id) {
      const name = `m-${id}`
      const [line, body, status] = desk.random.pick(ways(name))
      // One fork for each owner, and one hand to make it.
      if (line.includes('/forks') && (!/-0-\d+$/.test(id) || (await hasFork()))) return
      await change(id, `ada/${name}`, line, body, status)
      if (desk.random.below(2) === 0) await change(id, `ada/r-${id}`, `PATCH /repos/ada/${name}`, { name: `r-${id}` }, 200)
      const at = lives.get(id)?.is as string
      const to = at.replace('ada/', 'movers/')
      if (desk.random.below(2) === 0) await change(id, to, `POST /repos/${at}/transfer`, { new_owner: 'movers' }, 202)
      if (desk.random.below(3) > 0) await change(id, undefined, `DELETE /repos/${lives.get(id)?.is}`, undefined, 204)
    },
    async check() {
      for (const [id, { is, next }] of lives) {
        const found = (await Promise.all([is, next].map(locate))).find((one) => one !== undefined)
        expect([id, found]).toBeOneOf([
          [id, is],
          [id, next],
        ])
        if (found !== undefined)
          expect([found, await git(['ls-remote', desk.forge.url(found, desk.forge.ada), 'refs/heads/main'])]).toEqual([found, expect.stringContaining('main')])
      }
      lives.clear()
    },
  }

  async function hasFork(): Promise<boolean> {
    const { body } = await desk.ask<{ owner: { login: string } }[]>('GET /repos/sources/origin/forks?limit=50')
    return body.some(({ owner }) => owner.login === 'ada' || owner.login === 'movers')
  }

  async function locate(fullName: string | undefined): Promise<string | undefined> {
    if (fullName === undefined) return undefined
    const { status, body } = await desk.ask<{ full_name: string }>(`GET /repos/${fullName}`)
    return status === 200 ? body.full_name : undefined
  }
}

/** Bare repositories of another server, put beside ours and adopted, or still waiting. */
export function adopting(desk: Desk): Work {
  const done = new Map<string, boolean>()
  let source: Promise<string> | undefined
  let tip = ''
  const root = () => join(desk.forge.server.data, 'repositories')
  const makeSource = async () => {
    const copy = await newWorkingCopy(join(desk.forge.directory, 'foreign'))
    for (let i = 0; i < 5; i++) tip = await commitFiles(copy, `Commit ${i}`, { [`file-${i}`]: `${i}` })
    await git(['clone', '--quiet', '--bare', copy, `${copy}.git`])
    return `${copy}.git`
  }
  return {
    async step(id) {
      source ??= makeSource()
      mkdirSync(join(root(), 'ada'), { recursive: true })
      cpSync(await source, join(root(), 'ada', `adopted-${id}.git`), { recursive: true })
      done.set(id, false)
      const { status, body } = await desk.command(`POST /admin/unadopted/ada/adopted-${id}`)
      expect([status, body]).toEqual([204, undefined])
      done.set(id, true)
    },
    async check() {
      for (const [id, isDone] of done) {
        const { status } = await desk.ask(`GET /repos/ada/adopted-${id}`)
        if (status === 200) expect(await git(['ls-remote', desk.forge.url(`ada/adopted-${id}`, desk.forge.ada), 'refs/heads/main'])).toStartWith(tip)
        else expect([id, isDone, existsSync(join(root(), 'ada', `adopted-${id}.git`))]).toEqual([id, false, true])
      }
      done.clear()
    },
  }
}

/** Accounts, their keys and tokens, and what they set. */
export function enlisting(desk: Desk): Work {
  const people = new Map<string, { is: number; next: number }>()
  let keys = 0
  const password = 'a password for them'

  /** Stages: 1 there, 2 with a key, 3 with a description, 4 gone. */
  async function reach(name: string, stage: number, act: () => Promise<number>): Promise<void> {
    const is = stage - 1
    people.set(name, { is, next: stage })
    expect([name, stage, await act()]).toEqual([name, stage, stage === 4 || stage === 5 ? 204 : stage === 3 ? 200 : 201])
    people.set(name, { is: stage, next: stage })
  }

  async function stageOf(name: string): Promise<number> {
    const user = await desk.command<{ full_name: string }>(`GET /users/${name}`)
    if (user.status === 404) return 0
    if (user.body.full_name === 'Set') return 3
    return (await desk.command<unknown[]>(`GET /users/${name}/keys`)).body.length > 0 ? 2 : 1
  }

  return {
    async step(id) {
      const name = `p-${id}`
      const email = `${name}@example.org`
      const key = ed25519Key(1_000_000 + keys++)
      await reach(name, 1, async () => (await desk.command('POST /admin/users', { username: name, email, password, must_change_password: false })).status)
      await reach(name, 2, async () => (await desk.command(`POST /admin/users/${name}/keys`, { title: 'key', key })).status)
      await reach(name, 3, async () => (await desk.command(`PATCH /admin/users/${name}`, { login_name: name, source_id: 0, full_name: 'Set' })).status)
      if (desk.random.below(2) === 0) await reach(name, 4, async () => (await desk.command(`DELETE /admin/users/${name}?purge=true`)).status)
    },
    async check() {
      for (const [name, { is, next }] of people) {
        const stage = await stageOf(name)
        expect([name, stage]).toBeOneOf([
          [name, is % 4],
          [name, next % 4],
        ])
      }
      people.clear()
    },
  }
}

/** Settings of a repository count up. */
export function setting(desk: Desk): Work {
  let said = 0
  let asked = 0
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'counted' }, 201)
    },
    async step() {
      const mine = ++asked
      await desk.expectStatus('PATCH /repos/ada/counted', { description: String(mine) }, 200)
      said = Math.max(said, mine)
    },
    async check() {
      const { body } = await desk.ask<{ description: string }>('GET /repos/ada/counted')
      // Two hands ask at once, and either may come last.
      expect(Number(body.description)).toBeGreaterThanOrEqual(said - 1)
      expect(Number(body.description)).toBeLessThanOrEqual(asked)
    },
  }
}

/** The command line beside the server; it is not killed with it. */
export function commanding(desk: Desk): Work {
  const done = new Map<string, boolean>()
  return {
    async step(id) {
      const name = `c-${id}`
      done.set(name, false)
      const made = await runBinary([
        'admin',
        'user',
        'create',
        '--data',
        desk.forge.server.data,
        '--username',
        name,
        '--email',
        `${name}@example.org`,
        '--quiet',
      ])
      expect([name, made.exitCode, made.stderr]).toEqual([name, 0, expect.anything()])
      done.set(name, true)
      // Nothing else tells this hand that the server is gone.
      await desk.ask('GET /version')
    },
    async check() {
      for (const [name, isDone] of done) if (isDone) expect([name, (await desk.command(`GET /users/${name}`)).status]).toEqual([name, 200])
      done.clear()
    },
  }
}

/** Resolves when nothing is left behind, a moment after a start: the server has files under way, too. @throws Error that says what stays */
export async function untilCleared(data: string): Promise<void> {
  let left: string[] = []
  const isCleared = async () => {
    // To look costs more than what it waits for: not at every turn.
    await turns(20)
    left = leftBehind(data)
    return left.length === 0
  }
  await eventually(isCleared).catch((error) => Promise.reject(new Error(`A start leaves behind: ${left.join(', ')}`, { cause: error })))
}

/** What a start clears away: paths of all that looks unfinished, and directories that no row knows. */
export function leftBehind(data: string): string[] {
  const { ids, unfinished } = rowsOf(data)
  const root = join(data, 'repositories')
  const names = readdirSync(root)
  const odd = names.filter((name) => name.startsWith('.'))
  const own = names.filter((name) => /^\d+(\.wiki)?\.git$/.test(name))
  const orphans = own.filter((name) => !ids.has(Number.parseInt(name, 10)))
  const inside = own.flatMap((name) => [
    ...namesIn(join(root, name, 'objects'))
      .filter((one) => one.startsWith('tmp_'))
      .map((one) => join(name, 'objects', one)),
    ...namesIn(join(root, name))
      .filter((one) => one.endsWith('.tmp') || one.endsWith('.lock'))
      .map((one) => join(name, one)),
    ...oddPacks(namesIn(join(root, name, 'objects', 'pack'))).map((one) => join(name, 'objects', 'pack', one)),
  ])
  const blobs = namesIn(join(data, 'blobs')).filter((name) => name.startsWith('tmp'))
  return [...unfinished, ...odd, ...orphans, ...inside, ...blobs]
}

/** What is no pack with its index, and does not belong to one. */
function oddPacks(names: readonly string[]): string[] {
  const isWhole = (stem: string) => names.includes(`${stem}.pack`) && names.includes(`${stem}.idx`)
  return names.filter((name) => !/^pack-[0-9a-f]+\.(pack|idx|rev|bitmap|mtimes)$/.test(name) || !isWhole(name.slice(0, name.indexOf('.'))))
}

/** The repositories there are, and notes of what is still to be taken back or removed. */
function rowsOf(data: string): { ids: Set<number>; unfinished: string[] } {
  using db = new Database(join(data, 'pocketforge.db'), { readonly: true })
  const idsOf = (table: string) =>
    db
      .query<{ id: number }, []>(`SELECT id FROM ${table}`)
      .all()
      .map(({ id }) => id)
  const unfinished = ['unfilled_repository', 'removed_repository', 'job'].flatMap((table) => idsOf(table).map((id) => `${table} ${id}`))
  return { ids: new Set(idsOf('repository')), unfinished }
}

/** None where it has gone meanwhile. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
