import { expect } from 'bun:test'
import { eventually } from '../../eventually.ts'
import { Random } from '../../generate-history.ts'
import type { Forge } from '../forge.ts'

/** What somebody does again and again, and what they were told is done. */
export interface Work {
  /** Once, before the first kill. */
  prepare?(): Promise<void>
  /** Does it once more; throws when the server is gone. @param id letters, digits and dashes, no two alike */
  step(id: string): Promise<void>
  /** Compares all that is there with what was answered: what was not acknowledged is whole or absent. */
  check(): Promise<void>
}

export interface Answer<T> {
  status: number
  body: T
}

/** What works share: the forge, chance, and ways to ask. */
export class Desk {
  readonly forge: Forge
  readonly random: Random

  constructor(forge: Forge, seed: number) {
    this.forge = forge
    this.random = new Random(seed)
  }

  ask = async <T>(line: string, body?: unknown): Promise<Answer<T>> => {
    const answer = await whenFree(() => this.forge.api(line, this.forge.ada, body))
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as T }
  }

  /** @throws Error unless the answer has one of these statuses: a server that is killed answers nothing, and none other has a reason to refuse */
  async expectStatus<T>(line: string, body: unknown, ...statuses: number[]): Promise<T> {
    const answer = await this.ask<T>(line, body)
    if (!statuses.includes(answer.status)) throw new Error(`${line} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** As the administrator. */
  async command<T>(line: string, body?: unknown): Promise<Answer<T>> {
    const [method, path] = line.split(' ', 2)
    const { username, password } = new URL(this.forge.server.adminOrigin)
    const headers = { Authorization: `Basic ${btoa(`${username}:${decodeURIComponent(password)}`)}`, 'Content-Type': 'application/json' }
    const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
    const answer = await whenFree(() => fetch(`${this.forge.server.origin}/api/v1${path}`, init))
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as T }
  }

  /** All pages of a list. */
  async listAll<T>(path: string): Promise<T[]> {
    const found: T[] = []
    for (let page = 1; ; page++) {
      const { body } = await this.ask<T[]>(`GET ${path}${path.includes('?') ? '&' : '?'}limit=50&page=${page}`)
      found.push(...(body ?? []))
      if ((body ?? []).length < 50) return found
    }
  }

  async textOf(repo: string, path: string): Promise<string | undefined> {
    const answer = await this.forge.api(`GET /repos/ada/${repo}/raw/${path}`, this.forge.ada)
    return answer.status === 200 ? answer.text() : undefined
  }

  makeFile(repo: string, path: string, more: Record<string, unknown> = {}): Promise<Answer<{ commit: { sha: string } }>> {
    return this.ask(`POST /repos/ada/${repo}/contents/${path}`, { content: base64(path), ...more })
  }

  /** Bytes as they are sent: most few, some many. */
  noise(most: number): Uint8Array<ArrayBuffer> {
    return this.random.bytes(1 + this.random.skewed(most)) as Uint8Array<ArrayBuffer>
  }

  /** Sends a file beside an issue. */
  async attach(path: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Answer<{ id: number }>> {
    const form = new FormData()
    form.append('attachment', new File([bytes], name))
    return this.upload(`${path}?name=${name}`, form)
  }

  async upload(path: string, body: FormData | Uint8Array<ArrayBuffer>): Promise<Answer<{ id: number }>> {
    const headers: Record<string, string> = { Authorization: `token ${this.forge.ada.token}` }
    if (body instanceof Uint8Array) headers['Content-Type'] = 'application/octet-stream'
    const answer = await whenFree(() => fetch(`${this.forge.server.origin}/api/v1${path}`, { method: 'POST', headers, body }))
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as { id: number } }
  }

  /** What a download address of the API's gives. */
  async download(url: string): Promise<Uint8Array> {
    const address = `${this.forge.server.origin}${new URL(url).pathname}`
    const answer = await fetch(address, { headers: { Authorization: `token ${this.forge.ada.token}` } })
    expect([url, answer.status]).toEqual([url, 200])
    return answer.bytes()
  }
}

/** Asks again while the command line is writing to the store, which a server says of itself. */
function whenFree(ask: () => Promise<Response>): Promise<Response> {
  return eventually(async () => {
    const answer = await ask()
    if (answer.status !== 503) return answer
    await answer.body?.cancel()
    return undefined
  }, 'an answer other than 503')
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

export function hashOf(bytes: Uint8Array): string {
  return Bun.hash(bytes).toString()
}

/** Whether this is what `fetch` throws when nobody answers, or no more. */
export function isGone(error: unknown): boolean {
  return ['ConnectionRefused', 'ECONNREFUSED', 'ConnectionClosed', 'ECONNRESET', 'FailedToOpenSocket'].includes(String((error as { code?: unknown }).code))
}

/** What git could not finish, because the server was killed. */
export class Gone extends Error {
  readonly code = 'ECONNRESET'
}
