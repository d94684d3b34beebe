import { expect } from 'bun:test'
import { join } from 'node:path'
import { ADMIN_PASSWORD } from '../binary.ts'
import { eventually } from '../eventually.ts'
import { git, tryGit } from '../git.ts'
import { commitFiles, type Forge, newWorkingCopy } from './forge.ts'

/** Something that people do, whatever keeps the server from it. */
export interface Deed {
  /** What it is done to; nothing is in the way of that. */
  arrange?(name: string): Promise<void>
  /** @returns undefined once it is acknowledged, else why not. @throws when the server is gone */
  act(name: string): Promise<string | undefined>
  /** Whether it is done. @throws when half of it is */
  isThere(name: string): Promise<boolean>
}

/** A picture of one point. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** All but the one that another's commit in between refuses. */
const STYLES = ['merge', 'rebase', 'rebase-merge', 'squash']
const MAIN = '/repos/ada/main'

/** Deeds by what they do, at a forge that `prepare` has been called for. */
export class Deeds {
  readonly #forge: Forge
  /** Of things that were arranged, by the name of the deed. */
  readonly #numbers = new Map<string, number>()
  readonly #undo = new Map<string, { path: string; fields: Record<string, string> }>()
  #copy: string | undefined
  #cookie = ''

  constructor(forge: Forge) {
    this.#forge = forge
  }

  /** Once. */
  async prepare(): Promise<void> {
    if (this.#copy !== undefined) return
    this.#copy = await newWorkingCopy(join(this.#forge.directory, 'copy'))
    await this.#made('POST /user/repos', { name: 'main', auto_init: true, template: true })
    await this.#made('POST /orgs', { username: 'upstream' })
    for (let i = 0; i < 2; i++) await this.#made(`POST ${MAIN}/issues`, { title: `Issue ${i}` })
    const login = await this.#send('/user/login', { user_name: 'admin', password: ADMIN_PASSWORD })
    this.#cookie = login.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
  }

  readonly all: Record<string, Deed> = {
    'a commit': {
      act: (name) => told(this.#ask(`POST ${MAIN}/contents/${name}`, { content: btoa(name) })),
      isThere: (name) => this.#has(`${MAIN}/contents/${name}`),
    },
    'a repository': {
      act: (name) => told(this.#ask('POST /user/repos', { name, auto_init: true })),
      isThere: (name) => this.#hasReadme(`ada/${name}`),
    },
    'a repository from a template': {
      act: (name) => told(this.#ask(`POST ${MAIN}/generate`, { owner: 'ada', name, git_content: true, labels: true })),
      isThere: (name) => this.#hasReadme(`ada/${name}`),
    },
    'a fork': {
      arrange: (name) => this.#made('POST /orgs/upstream/repos', { name, auto_init: true }).then(() => {}),
      act: (name) => told(this.#ask(`POST /repos/upstream/${name}/forks`, {})),
      isThere: (name) => this.#hasReadme(`ada/${name}`),
    },
    'a push': {
      act: (name) => this.#push(name),
      isThere: async (name) => (await git(['ls-remote', this.#forge.url('ada/main', this.#forge.ada), `refs/heads/${name}`])) !== '',
    },
    'a merge': {
      arrange: (name) => this.#propose(name),
      act: (name) => told(this.#ask(`POST ${MAIN}/pulls/${this.#numberOf(name)}/merge`, { Do: STYLES[this.#numberOf(name) % STYLES.length] })),
      isThere: (name) => this.#isMerged(name),
    },
    'a page of the wiki': {
      act: (name) => told(this.#ask(`POST ${MAIN}/wiki/new`, { title: name, content_base64: btoa(name) })),
      isThere: (name) => this.#has(`${MAIN}/wiki/page/${name}`),
    },
    'a label': {
      act: (name) => told(this.#ask(`POST ${MAIN}/labels`, { name, color: '#00f' })),
      isThere: async (name) => (await this.#list<{ name: string }>(`${MAIN}/labels`)).some((label) => label.name === name),
    },
    'a picture': {
      arrange: (name) => this.#made('POST /user/repos', { name }).then(() => {}),
      act: (name) => told(this.#ask(`POST /repos/ada/${name}/avatar`, { image: PICTURE })),
      isThere: (name) => this.#hasPicture(name),
    },
    'a file beside an issue': {
      act: (name) => told(this.#attach(`${MAIN}/issues/1/assets`, name)),
      isThere: (name) => this.#hasFile(`${MAIN}/issues/1/assets`, name),
    },
    'a deleted comment': {
      arrange: (name) => this.#comment(name),
      act: (name) => told(this.#ask(`DELETE ${MAIN}/issues/comments/${this.#numberOf(name)}`)),
      isThere: async (name) => !(await this.#hasComment(name)),
    },
    'a comment that comes back': {
      arrange: async (name) => {
        await this.#comment(name)
        await this.#sent(`/ada/main/issues/1/comments/${this.#numberOf(name)}/delete`)
        await this.#noteUndo(name, '/ada/main/issues/1', /action="([^"]*\/deleted\/[^"/]+\/restore)"/)
      },
      act: (name) => told(this.#takeBack(name)),
      isThere: (name) => this.#hasComment(name),
    },
    'a label that comes back': {
      arrange: async (name) => {
        await this.#label(name)
        await this.#sent(`/ada/main/labels/${this.#numberOf(name)}/delete`)
        await this.#noteUndo(name, '/ada/main/labels', /action="([^"]*labels\/restore)"[\s\S]{0,300}?name="(id)" value="([^"]+)"/)
      },
      act: (name) => told(this.#takeBack(name)),
      isThere: (name) => this.#isLabelled(name),
    },
    'a branch that comes back': {
      arrange: async (name) => {
        await this.#made(`POST ${MAIN}/contents/${name}`, { content: btoa(name), new_branch: name, branch: 'main' })
        await this.#ask(`DELETE ${MAIN}/branches/${name}`)
        await this.#noteUndo(
          name,
          '/ada/main/branches?view=all',
          new RegExp(`action="([^"]*branches/restore)"[\\s\\S]*?name="(id)" value="([^"]+)" aria-label="Restore ${name}"`),
        )
      },
      act: (name) => told(this.#takeBack(name)),
      isThere: (name) => this.#has(`${MAIN}/branches/${name}`),
    },
    'issues closed at once': {
      arrange: async (name) => {
        for (let i = 0; i < 3; i++) this.#numbers.set(`${name} ${i}`, (await this.#made<{ number: number }>(`POST ${MAIN}/issues`, { title: name })).number)
      },
      act: (name) => told(this.#send('/ada/main/issues/bulk', { action: 'close', issues: this.#several(name).map(String) })),
      isThere: async (name) => {
        const found = await Promise.all(this.#several(name).map((number) => this.#get<{ state: string }>(`${MAIN}/issues/${number}`)))
        // Each is changed by itself.
        return found.every(({ state }) => state === 'closed')
      },
    },
  }

  #ask(line: string, body?: unknown): Promise<Response> {
    return this.#forge.api(line, this.#forge.ada, body)
  }

  async #made<T>(line: string, body: unknown): Promise<T> {
    const answer = await this.#ask(line, body)
    expect([line, answer.status]).toEqual([line, 201])
    return (await answer.json()) as T
  }

  /** Posts a form as a browser does. */
  #send(path: string, fields: Record<string, string | string[]>): Promise<Response> {
    const { origin } = this.#forge.server
    const body = new URLSearchParams(Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value])))
    return fetch(`${origin}${path}`, { method: 'POST', headers: { Cookie: this.#cookie, Origin: origin, Accept: 'text/html' }, body, redirect: 'manual' })
  }

  async #sent(path: string): Promise<void> {
    const answer = await this.#send(path, {})
    expect([path, answer.status, answer.status === 303 ? '' : await answer.text()]).toEqual([path, 303, ''])
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await this.#ask(`GET ${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    return (await answer.json()) as T
  }

  #list<T>(path: string): Promise<T[]> {
    return this.#get<T[]>(`${path}?limit=50`)
  }

  async #has(path: string): Promise<boolean> {
    const { status } = await this.#ask(`GET ${path}`)
    expect([path, status]).toBeOneOf([
      [path, 200],
      [path, 404],
    ])
    return status === 200
  }

  /** A repository is there with its first commit, or not at all. */
  async #hasReadme(path: string): Promise<boolean> {
    const [isThere, isFilled] = [await this.#has(`/repos/${path}`), await this.#has(`/repos/${path}/contents/README.md`)]
    expect([path, isFilled]).toEqual([path, isThere])
    return isThere
  }

  async #push(name: string): Promise<string | undefined> {
    const copy = this.#copy as string
    await commitFiles(copy, name, { name })
    const { exitCode, stderr } = await tryGit(['push', this.#forge.url('ada/main', this.#forge.ada), `HEAD:refs/heads/${name}`], { cwd: copy })
    if (exitCode === 0) return undefined
    if (!/no changes were saved|only known after a restart/.test(stderr)) throw new Error(`git could not push: ${stderr}`)
    return stderr
  }

  async #propose(name: string): Promise<void> {
    await this.#made(`POST ${MAIN}/contents/${name}`, { content: btoa(name), new_branch: `topic-${name}`, branch: 'main' })
    const { number } = await this.#made<{ number: number }>(`POST ${MAIN}/pulls`, { title: name, head: `topic-${name}`, base: 'main' })
    this.#numbers.set(name, number)
  }

  async #isMerged(name: string): Promise<boolean> {
    const pull = await this.#get<{ merged: boolean; state: string }>(`${MAIN}/pulls/${this.#numberOf(name)}`)
    const isThere = await this.#has(`${MAIN}/contents/${name}`)
    expect({ name, ...pull }).toMatchObject({ name, merged: isThere, state: isThere ? 'closed' : 'open' })
    return isThere
  }

  async #hasPicture(name: string): Promise<boolean> {
    const { avatar_url: url } = await this.#get<{ avatar_url: string }>(`/repos/ada/${name}`)
    if (url === '') return false
    const answer = await fetch(`${this.#forge.server.origin}${new URL(url).pathname}`, { headers: { Authorization: this.#forge.ada.authorization } })
    expect([name, answer.status, (await answer.bytes()).toBase64()]).toEqual([name, 200, PICTURE])
    return true
  }

  #attach(path: string, name: string): Promise<Response> {
    const body = new FormData()
    body.append('attachment', new File([name.repeat(50_000)], `${name}.txt`))
    const headers = { Authorization: `token ${this.#forge.ada.token}` }
    return fetch(`${this.#forge.server.origin}/api/v1${path}?name=${name}.txt`, { method: 'POST', headers, body })
  }

  async #hasFile(path: string, name: string): Promise<boolean> {
    const file = (await this.#get<{ name: string; browser_download_url: string }[]>(path)).find((one) => one.name === `${name}.txt`)
    if (!file) return false
    const address = `${this.#forge.server.origin}${new URL(file.browser_download_url).pathname}`
    const answer = await fetch(address, { headers: { Authorization: `token ${this.#forge.ada.token}` } })
    expect([name, answer.status, (await answer.text()) === name.repeat(50_000)]).toEqual([name, 200, true])
    return true
  }

  async #comment(name: string): Promise<void> {
    const { id } = await this.#made<{ id: number }>(`POST ${MAIN}/issues/1/comments`, { body: name })
    this.#numbers.set(name, id)
    expect((await this.#attach(`${MAIN}/issues/comments/${id}/assets`, name)).status).toBe(201)
  }

  /** It is counted, and has its file. */
  async #hasComment(name: string): Promise<boolean> {
    const [issue, comments] = [await this.#get<{ comments: number }>(`${MAIN}/issues/1`), await this.#list<{ body: string }>(`${MAIN}/issues/1/comments`)]
    const isThere = comments.some(({ body }) => body === name)
    const place = `${MAIN}/issues/comments/${this.#numberOf(name)}`
    expect([name, issue.comments, isThere && (await this.#hasFile(`${place}/assets`, name))]).toEqual([name, comments.length, isThere])
    return isThere
  }

  async #label(name: string): Promise<void> {
    const { id } = await this.#made<{ id: number }>(`POST ${MAIN}/labels`, { name, color: '#00f' })
    this.#numbers.set(name, id)
    for (const number of [1, 2]) expect((await this.#ask(`POST ${MAIN}/issues/${number}/labels`, { labels: [id] })).status).toBe(200)
  }

  /** It is there with all that carried it, which follows in the background: a little later where the disk refused that. */
  async #isLabelled(name: string): Promise<boolean> {
    const isThere = await this.#has(`${MAIN}/labels/${this.#numberOf(name)}`)
    await eventually(async () => (await this.#carried(name)).every((is) => is === isThere), `${name} on both issues or on none`)
    return isThere
  }

  /** Whether two issues have the label. */
  #carried(name: string): Promise<boolean[]> {
    return Promise.all(
      [1, 2].map(async (number) => (await this.#list<{ name: string }>(`${MAIN}/issues/${number}/labels`)).some((label) => label.name === name)),
    )
  }

  /** Finds on a page how what was deleted comes back. @param form its address, and the name and value of its field */
  async #noteUndo(name: string, page: string, form: RegExp): Promise<void> {
    const answer = await fetch(`${this.#forge.server.origin}${page}`, { headers: { Cookie: this.#cookie, Accept: 'text/html' } })
    const [, path = '', field, value = ''] = form.exec(await answer.text()) ?? []
    expect([name, path]).toEqual([name, expect.stringContaining('restore')])
    this.#undo.set(name, { path, fields: field === undefined ? {} : { [field]: value } })
  }

  #takeBack(name: string): Promise<Response> {
    const { path, fields } = this.#undo.get(name) as { path: string; fields: Record<string, string> }
    return this.#send(path, fields)
  }

  #numberOf(name: string): number {
    return this.#numbers.get(name) as number
  }

  #several(name: string): number[] {
    return [0, 1, 2].map((i) => this.#numberOf(`${name} ${i}`))
  }
}

/** @returns why something was refused, in words that say what became of it; undefined when it was not */
export async function told(asked: Promise<Response>): Promise<string | undefined> {
  const answer = await asked
  const words = await answer.text()
  if (answer.status < 400) return undefined
  expect([answer.status, words]).toEqual([503, expect.stringMatching(/no changes were saved|may have been saved|only known after a restart/)])
  return words
}
