import { join } from 'node:path'

/** Debian's chromium as a program, and its own protocol: https://chromedevtools.github.io/devtools-protocol/ */

/** Undefined where it is not installed; its stories are skipped by name then. */
export const chromiumPath = Bun.which('chromium') ?? undefined

/** What the browser says: the answer to a command, or what has happened in one of its pages. */
export interface Message {
  id?: number
  sessionId?: string
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
}

export interface BrowserOptions {
  /** Rules of `--host-resolver-rules` for names besides localhost, `MAP nas 127.0.0.1`; no others are known. */
  hosts?: string[]
  flags?: string[]
  /** Keeps pages in memory for "Back", as browsers do. Only the tests that go back need it. */
  hasBackForwardCache?: boolean
}

/** What a person's browser does besides showing pages costs more time than it takes to start. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-component-extensions-with-background-pages',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--disable-hang-monitor',
  '--metrics-recording-only',
  '--password-store=basic',
  // A spare process for the next site is started in vain where each story visits one site.
  '--disable-features=SpareRendererForSitePerProcess,PaintHolding,Translate,OptimizationHints,MediaRouter',
  // Pages live for a moment: optimizing their scripts takes longer than running them.
  '--js-flags=--no-opt --no-maglev',
  '--remote-debugging-port=0',
]

/** A browser that runs, and who listens to what it tells of its pages. */
export class Wire {
  readonly #child: Bun.Subprocess
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #readers = new Map<string, (message: Message) => void>()
  #count = 0

  private constructor(child: Bun.Subprocess, socket: WebSocket) {
    this.#child = child
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  static async open(directory: string, { hosts: more = [], flags: others = [], hasBackForwardCache = false }: BrowserOptions): Promise<Wire> {
    const flags = [...FLAGS, ...(hasBackForwardCache ? [] : ['--disable-back-forward-cache']), ...others]
    const hosts = `--host-resolver-rules=${[...more, 'MAP * ~NOTFOUND', 'EXCLUDE localhost', 'EXCLUDE 127.0.0.1'].join(', ')}`
    const child = Bun.spawn([chromiumPath as string, ...flags, hosts, `--user-data-dir=${join(directory, 'chromium')}`, 'about:blank'], {
      stdout: 'ignore',
      stderr: 'pipe',
      env: { PATH: process.env.PATH, HOME: directory },
    })
    const socket = new WebSocket(await addressIn(child.stderr))
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', reject)
    })
    return new Wire(child, socket)
  }

  /** @throws Error with what the browser says is wrong */
  async send(method: string, params: Record<string, unknown> = {}, sessionId?: string): Promise<Record<string, unknown>> {
    const id = ++this.#count
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }))
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  listen(sessionId: string, reader: (message: Message) => void): void {
    this.#readers.set(sessionId, reader)
  }

  #receive(message: Message): void {
    if (message.id === undefined) return this.#readers.get(message.sessionId ?? '')?.(message)
    this.#waiting.get(message.id)?.(message)
    this.#waiting.delete(message.id)
  }

  async close(): Promise<void> {
    this.#socket.close()
    this.#child.kill('SIGKILL')
    await this.#child.exited
  }
}

/** Where a browser that starts says that it listens. */
async function addressIn(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  const reader = stderr.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    const [, address] = /DevTools listening on (ws:\S+)/.exec(text) ?? []
    if (address === undefined) continue
    reader.releaseLock()
    void stderr.pipeTo(new WritableStream()).catch(() => {})
    return address
  }
  throw new Error(`chromium did not start: ${text}`)
}
