import { expect } from 'bun:test'
import { join } from 'node:path'
import { ADMIN_PASSWORD } from '../../binary.ts'
import { git, tryGit } from '../../git.ts'
import { commitFiles, fsck, newWorkingCopy } from '../forge.ts'
import { type Desk, Gone, type Work } from './work.ts'

/** Each file is a commit of its own. */
export function editing(desk: Desk): Work {
  const done = new Map<string, string>()
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'edited', auto_init: true }, 201)
    },
    async step(id) {
      const { status, body } = await desk.makeFile('edited', `files/${id}`)
      if (status === 201) done.set(`files/${id}`, body.commit.sha)
      else expect([409, 422]).toContain(status)
    },
    async check() {
      const commits = await desk.listAll<{ sha: string }>('/repos/ada/edited/commits?stat=false&files=false&verification=false')
      const shas = new Set(commits.map(({ sha }) => sha))
      expect([...done].filter(([, sha]) => !shas.has(sha))).toEqual([])
      for (const path of [...done.keys()].slice(-30)) expect([path, await desk.textOf('edited', path)]).toEqual([path, path])
    },
  }
}

/** A form of a page, as a browser sends it. */
export function editingByForm(desk: Desk): Work {
  const done = new Set<string>()
  let cookie = ''
  const post = (path: string, fields: Record<string, string>) => {
    const { origin } = desk.forge.server
    const headers = { Cookie: cookie, Origin: origin, Accept: 'text/html' }
    return fetch(`${origin}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
  }
  return {
    async prepare() {
      const answer = await post('/user/login', { user_name: 'admin', password: ADMIN_PASSWORD })
      cookie = answer.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      const repo = { name: 'by-form', auto_init: true }
      expect((await desk.command('POST /user/repos', repo)).status).toBe(201)
    },
    async step(id) {
      const answer = await post('/admin/by-form/_new/main', { path: id, content: `${id}\r\n` })
      if (answer.status === 303) done.add(id)
      else
        expect([id, answer.status]).toBeOneOf([
          [id, 409],
          [id, 503],
        ])
    },
    async check() {
      for (const id of done) {
        const { status } = await desk.command(`GET /repos/admin/by-form/contents/${id}`)
        expect([id, status]).toEqual([id, 200])
      }
      done.clear()
    },
  }
}

/** A pull request is merged with its file on the branch, or open without it. */
export function merging(desk: Desk): Work {
  const styles = ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only']
  const merged = new Set<number>()
  const seen = new Set<number>()
  return {
    async prepare() {
      await desk.expectStatus('POST /user/repos', { name: 'merged', auto_init: true }, 201)
    },
    async step(id) {
      const file = await desk.makeFile('merged', id, { new_branch: `topic-${id}` })
      expect(file.status).toBe(201)
      const pull = await desk.expectStatus<{ number: number }>('POST /repos/ada/merged/pulls', { title: id, head: `topic-${id}`, base: 'main' }, 201)
      const { status } = await desk.ask(`POST /repos/ada/merged/pulls/${pull.number}/merge`, { Do: desk.random.pick(styles) })
      if (status === 200) merged.add(pull.number)
    },
    async check() {
      type Pull = { number: number; title: string; merged: boolean; merge_commit_sha: string | null; state: string }
      const pulls = await desk.listAll<Pull>('/repos/ada/merged/pulls?state=all')
      expect([...merged].filter((number) => !pulls.some((pull) => pull.number === number && pull.merged))).toEqual([])
      for (const { number, title, merged: isMerged, merge_commit_sha: sha, state } of pulls) {
        if (seen.has(number)) continue
        seen.add(number)
        const isThere = (await desk.textOf('merged', title)) !== undefined
        const hasCommit = typeof sha === 'string' && sha !== '' && isMerged
        expect({ number, isThere, state, hasCommit }).toEqual({ number, isThere: isMerged, state: isMerged ? 'closed' : 'open', hasCommit: isMerged })
      }
    },
  }
}

/** What a pusher knows of a ref: where it was acknowledged to be, and where a push that was not would have put it. */
interface Known {
  is: string | undefined
  next: string | undefined
}

/** Branches and tags that are made, moved, forced and deleted, several in one push: all of them or none. */
export function pushing(desk: Desk): Work {
  /** By hand. */
  const copies = new Map<string, Promise<string>>()
  const refs = new Map<string, Known>()
  /** The refs of pushes that nobody answered. */
  const open = new Map<string, string[]>()
  let clones = 0
  const address = () => desk.forge.url('ada/pushed', desk.forge.ada)

  async function makeCopy(hand: string): Promise<string> {
    const copy = await newWorkingCopy(join(desk.forge.directory, `push-${hand}`))
    await commitFiles(copy, 'Start', { hand })
    return copy
  }

  /** What one push asks for, and the values that its refs have after it. */
  function plan(hand: string, i: number, tip: string): { asked: string[]; values: Map<string, string | undefined> } {
    const values = new Map<string, string | undefined>()
    const own = [...refs.keys()].filter((name) => name.startsWith(`refs/heads/${hand}/`) && refs.get(name)?.is !== undefined)
    values.set(`refs/heads/${hand}/${desk.random.below(6)}`, tip)
    if (desk.random.below(3) === 0) values.set(`refs/tags/${hand}-${i}`, tip)
    if (own.length > 2) values.set(desk.random.pick(own), undefined)
    return { asked: [...values].map(([name, oid]) => `+${oid ?? ''}:${name}`), values }
  }

  async function send(copy: string, asked: string[]): Promise<void> {
    const { exitCode, stderr } = await tryGit(['push', '--quiet', ...(asked.length > 1 ? ['--atomic'] : []), address(), ...asked], { cwd: copy })
    if (exitCode === 0) return
    if (/rejected|denied|[^.]\b(500|403|404)\b/.test(stderr)) throw new Error(`A push was refused: ${stderr}`)
    throw new Gone(stderr)
  }

  return {
    async prepare() {
      // Its branch is the default one, which nobody could delete; of an empty one the first branch pushed would be.
      await desk.expectStatus('POST /user/repos', { name: 'pushed', auto_init: true }, 201)
    },
    async step(id) {
      const [, hand = '', i = '0'] = /-(\d+)-(\d+)$/.exec(id) ?? []
      const made = copies.get(hand) ?? makeCopy(hand)
      copies.set(hand, made)
      const copy = await made
      if (desk.random.below(4) === 0) await git(['reset', '--quiet', '--hard', 'HEAD~1'], { cwd: copy }).catch(() => {})
      const tip = await commitFiles(copy, id, { noise: Buffer.from(desk.noise(200_000)).toString('hex') })
      const { asked, values } = plan(hand, Number(i), tip)
      for (const [name, next] of values) refs.set(name, { is: refs.get(name)?.is, next })
      open.set(hand, [...values.keys()])
      await send(copy, asked)
      for (const [name, is] of values) refs.set(name, { is, next: is })
      open.delete(hand)
    },
    async check() {
      const listed = await git(['ls-remote', '--refs', address()])
      const there = new Map(
        listed
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split('\t').reverse() as [string, string]),
      )
      for (const names of open.values()) {
        const changed = names.filter((name) => refs.get(name)?.is !== refs.get(name)?.next)
        const landed = changed.filter((name) => there.get(name) === refs.get(name)?.next)
        expect([changed, landed]).toEqual([changed, landed.length === 0 ? [] : changed])
      }
      for (const [name, { is, next }] of refs)
        expect([name, there.get(name)]).toBeOneOf([
          [name, is],
          [name, next],
        ])
      for (const name of refs.keys()) refs.set(name, { is: there.get(name), next: there.get(name) })
      open.clear()
      const clone = join(desk.forge.directory, `pushed-${clones++}.git`)
      await git(['clone', '--quiet', '--mirror', address(), clone])
      expect(await fsck(clone)).toBe('')
      await Bun.$`rm -rf ${clone}`
    },
  }
}

/** A first push makes the repository: it is there with what was pushed, or it is not there. */
export function pushingToCreate(desk: Desk): Work {
  const done = new Map<string, boolean>()
  let copy: Promise<string> | undefined
  let tip = ''
  const makeCopy = async () => {
    const path = await newWorkingCopy(join(desk.forge.directory, 'first'))
    tip = await commitFiles(path, 'Start', { a: 'a' })
    return path
  }
  return {
    async step(id) {
      copy ??= makeCopy()
      const cwd = await copy
      done.set(id, false)
      const { exitCode, stderr } = await tryGit(['push', '--quiet', desk.forge.url(`ada/first-${id}`, desk.forge.ada), 'HEAD:refs/heads/main'], { cwd })
      if (exitCode !== 0) throw new Gone(stderr)
      done.set(id, true)
    },
    async check() {
      for (const [id, isDone] of done) {
        const { status } = await desk.ask(`GET /repos/ada/first-${id}`)
        if (!isDone && status === 404) continue
        expect([id, status, await git(['ls-remote', desk.forge.url(`ada/first-${id}`, desk.forge.ada), 'refs/heads/main'])]).toEqual([
          id,
          200,
          `${tip}\trefs/heads/main`,
        ])
      }
      done.clear()
    },
  }
}
