import { expect } from 'bun:test'
import { join } from 'node:path'
import { git, tryGit } from '../git.ts'
import { type Deed, told } from './deeds.ts'
import { commitFiles, type Forge, newWorkingCopy } from './forge.ts'

/** Deeds that are done more rarely, and take longer to try at each write of theirs: pushes of other kinds, and what happens to whole repositories. */
export class RareDeeds {
  readonly #forge: Forge
  #copy: string | undefined
  #first = ''
  #second = ''

  constructor(forge: Forge) {
    this.#forge = forge
  }

  /** Once. */
  async prepare(): Promise<void> {
    if (this.#copy !== undefined) return
    this.#copy = await newWorkingCopy(join(this.#forge.directory, 'rare'))
    this.#first = await commitFiles(this.#copy, 'first', { a: 'a' })
    await git(['checkout', '-q', '--orphan', 'other'], { cwd: this.#copy })
    this.#second = await commitFiles(this.#copy, 'second', { b: 'b' })
    await this.#made('POST /user/repos', { name: 'rare' })
    await this.#made('POST /orgs', { username: 'downstream' })
  }

  readonly all: Record<string, Deed> = {
    'a forced push': {
      arrange: async (name) => expect(await this.#push('rare', `${this.#first}:refs/heads/${name}`)).toBeUndefined(),
      act: (name) => this.#push('rare', '--force', `${this.#second}:refs/heads/${name}`),
      isThere: async (name) => {
        const tip = await this.#tip('rare', `refs/heads/${name}`)
        expect(tip).toBeOneOf([this.#first, this.#second])
        return tip === this.#second
      },
    },
    'a push of several refs that stand or fall together': {
      act: (name) => this.#push('rare', '--atomic', ...this.#several(name).map((ref, i) => `${i === 0 ? this.#first : this.#second}:${ref}`)),
      isThere: async (name) => {
        const tips = await Promise.all(this.#several(name).map((ref) => this.#tip('rare', ref)))
        expect(new Set(tips.map((tip) => tip !== '')).size).toBe(1)
        return tips[0] !== ''
      },
    },
    'a push that makes its repository': {
      act: (name) => this.#push(name, `${this.#first}:refs/heads/main`),
      isThere: async (name) => {
        if (!(await this.#nameOf(`ada/${name}`))) return false
        expect(await this.#tip(name, 'refs/heads/main')).toBe(this.#first)
        return true
      },
    },
    'a new name of a repository': {
      arrange: (name) => this.#made('POST /user/repos', { name, auto_init: true }),
      act: (name) => told(this.#ask(`PATCH /repos/ada/${name}`, { name: `${name}-new` })),
      isThere: (name) => this.#isMoved(name, `ada/${name}-new`),
    },
    'a new owner of a repository': {
      arrange: (name) => this.#made('POST /user/repos', { name, auto_init: true }),
      act: (name) => told(this.#ask(`POST /repos/ada/${name}/transfer`, { new_owner: 'downstream' })),
      isThere: (name) => this.#isMoved(name, `downstream/${name}`),
    },
    'a repository that goes': {
      arrange: (name) => this.#made('POST /user/repos', { name, auto_init: true }),
      act: (name) => told(this.#ask(`DELETE /repos/ada/${name}`)),
      isThere: async (name) => (await this.#nameOf(`ada/${name}`)) === undefined,
    },
  }

  #several(name: string): string[] {
    return [`refs/heads/${name}-a`, `refs/heads/${name}-b`, `refs/tags/${name}`]
  }

  #ask(line: string, body?: unknown): Promise<Response> {
    return this.#forge.api(line, this.#forge.ada, body)
  }

  async #made(line: string, body: unknown): Promise<void> {
    expect([line, (await this.#ask(line, body)).status]).toEqual([line, 201])
  }

  /** Its old address leads to the new one. */
  async #isMoved(name: string, to: string): Promise<boolean> {
    const now = await this.#nameOf(`ada/${name}`)
    expect(now).toBeOneOf([`ada/${name}`, to])
    return now === to
  }

  async #nameOf(path: string): Promise<string | undefined> {
    const answer = await this.#ask(`GET /repos/${path}`)
    expect([path, answer.status]).toBeOneOf([
      [path, 200],
      [path, 404],
    ])
    return answer.status === 200 ? ((await answer.json()) as { full_name: string }).full_name : undefined
  }

  /** Empty when there is no such ref. */
  async #tip(repo: string, ref: string): Promise<string> {
    return (await git(['ls-remote', this.#forge.url(`ada/${repo}`, this.#forge.ada), ref])).slice(0, 40)
  }

  async #push(repo: string, ...args: string[]): Promise<string | undefined> {
    const options = args.filter((arg) => arg.startsWith('--'))
    const refs = args.filter((arg) => !arg.startsWith('--'))
    const { exitCode, stderr } = await tryGit(['push', ...options, this.#forge.url(`ada/${repo}`, this.#forge.ada), ...refs], { cwd: this.#copy as string })
    if (exitCode === 0) return undefined
    if (!/no changes were saved|only known after a restart|may have been saved/.test(stderr)) throw new Error(`git could not push: ${stderr}`)
    return stderr
  }
}
