import { afterAll, beforeAll, expect } from 'bun:test'
import { type BinaryOptions, runBinary } from '../binary.ts'
import { soak } from '../soak.ts'
import { Chromium } from './chromium.ts'
import type { BrowserOptions } from './chromium-wire.ts'
import { type Forge, forgeForStories, type Member } from './forge.ts'

/** What the stories of several people share: one server, one browser, and a page of everybody's own in it. */

export const PASSWORD = 'correct horse battery'

/** Somebody at a browser, who also has a token for what a story needs besides. */
export interface Person extends Member {
  page: Chromium
}

const SCRIPT_MODES: [name: string, hasScripts: boolean][] = [
  ['with scripts', true],
  ['without scripts', false],
]

/** Returns the modes in which a story runs: the given one in `npm test`, both in `npm run soak`. */
export function scriptModes(usual: 'with scripts' | 'without scripts'): typeof SCRIPT_MODES {
  return SCRIPT_MODES.filter(([name]) => soak(name === usual, true))
}

export interface WebForge {
  readonly forge: Forge
  /** Where a page is. */
  at(path: string): string
  /** Somebody new, signed in. */
  person(name: string, options?: { hasScripts?: boolean; isAdmin?: boolean }): Promise<Person>
  /** @returns the record that the API answers @throws Error when it refuses */
  call<T = Record<string, unknown>>(line: string, as: Member, body?: unknown): Promise<T>
  signIn(page: Chromium, name: string): Promise<void>
  /** Fails when a page asked another host for anything, or complained about anything but what matches. */
  expectSilence(expected?: RegExp): void
}

export function forgeInBrowser(binary: BinaryOptions = {}, options: BrowserOptions = {}): WebForge {
  const forge = forgeForStories(binary)
  const pages: Chromium[] = []
  let browser: Chromium
  beforeAll(async () => {
    browser = await Chromium.start(forge.directory, options)
  }, 60_000)
  afterAll(() => browser?.[Symbol.asyncDispose]())

  const at = (path: string) => `http://localhost:${new URL(forge.server.origin).port}${path}`
  async function signIn(page: Chromium, name: string): Promise<void> {
    await page.open(at('/user/login'))
    await page.submit('form[action="/user/login"]', { user_name: name, password: PASSWORD })
  }
  return {
    forge,
    at,
    signIn,
    async person(name, { hasScripts = true, isAdmin = false } = {}) {
      const who = ['--username', name, '--email', `${name}@example.org`, '--password', PASSWORD, ...(isAdmin ? ['--admin'] : [])]
      const { exitCode, stdout, stderr } = await runBinary(['admin', 'user', 'create', '--data', forge.server.data, ...who, '--access-token', '--quiet'])
      if (exitCode !== 0) throw new Error(`Cannot create ${name}: ${stderr}`)
      const page = await browser.somebodyElse()
      pages.push(page)
      await page.send('Emulation.setScriptExecutionDisabled', { value: !hasScripts })
      await signIn(page, name)
      const token = stdout.trim()
      return { name, token, authorization: `Basic ${btoa(`${name}:${token}`)}`, page }
    },
    async call(line, as, body) {
      const answer = await forge.api(line, as, body)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${line}: ${answer.status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    expectSilence(expected) {
      const hosts = new Set(pages.flatMap(({ requests }) => requests.filter((url) => !url.startsWith('data:')).map((url) => URL.parse(url)?.hostname)))
      const complaints = pages.flatMap(({ complaints }) => complaints.filter((one) => !expected?.test(one)))
      expect([[...hosts], complaints]).toEqual([['localhost'], []])
    },
  }
}
