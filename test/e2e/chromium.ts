import { join } from 'node:path'

/** Debian's chromium, driven by its own protocol: https://chromedevtools.github.io/devtools-protocol/ */

/** Undefined where it is not installed; its stories are skipped by name then. */
export const chromiumPath = Bun.which('chromium') ?? undefined

const WAIT_MS = 20_000

interface Message {
  id?: number
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { message: string }
}

/** One page of a browser of its own. */
export class Chromium implements AsyncDisposable {
  readonly #child: Bun.Subprocess
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  #session: string | undefined
  #count = 0
  /** What the page or the browser complained about: errors, refused scripts and styles, addresses that were not found. */
  readonly complaints: string[] = []
  /** What was asked for over the network. */
  readonly requests: string[] = []

  private constructor(child: Bun.Subprocess, socket: WebSocket) {
    this.#child = child
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  /** @param directory where it keeps what it stores */
  static async start(directory: string): Promise<Chromium> {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--remote-debugging-port=0']
    const hosts = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'
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
    const browser = new Chromium(child, socket)
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    browser.#session = sessionId as string
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(`${domain}.enable`)
    return browser
  }

  /** @throws Error with what the browser says is wrong */
  async send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#count
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: this.#session }))
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  /** Opens an address and waits until its page is whole. */
  async open(address: string): Promise<void> {
    await this.send('Page.navigate', { url: address })
    await this.until("document.readyState === 'complete' && location.href !== 'about:blank'")
  }

  /** What an expression is in the page; a promise is waited for. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, userGesture: true, awaitPromise: true })
    if (exceptionDetails) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return (result as { value: T }).value
  }

  /** Waits until an expression is true in whatever page is there by then. @throws Error when it is not for long */
  async until(expression: string): Promise<void> {
    for (const end = performance.now() + WAIT_MS; performance.now() < end; await Bun.sleep(20)) {
      if (await this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return
    }
    throw new Error(`Not true in the page: ${expression}\n${await this.evaluate<string>('document.body.innerText')}`)
  }

  /** Types into the fields of a form and sends it with its button, and waits for the page that this leads to. */
  async submit(form: string, fields: Record<string, string> = {}): Promise<void> {
    const typed = JSON.stringify(fields)
    await this.evaluate(`
      globalThis.isLeft = false
      form = document.querySelector(${JSON.stringify(form)})
      for (const [name, value] of Object.entries(${typed})) form.elements[name].value = value
      form.querySelector('button[type=submit]').click()`)
    await this.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
  }

  /** Puts a file from this machine into a form's field. */
  async attach(field: string, path: string): Promise<void> {
    const { root } = await this.send('DOM.getDocument')
    const { nodeId } = await this.send('DOM.querySelector', { nodeId: (root as { nodeId: number }).nodeId, selector: field })
    await this.send('DOM.setFileInputFiles', { nodeId, files: [path] })
  }

  /** Follows the first link that has this text. */
  async follow(text: string): Promise<void> {
    await this.evaluate(`
      globalThis.isLeft = false
      link = [...document.querySelectorAll('main a')].find((one) => one.textContent.trim() === ${JSON.stringify(text)})
      link.click()`)
    await this.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
  }

  /** Presses a key as a person does. @param modifiers 1 alt, 2 ctrl, 8 shift, added up */
  async press(key: string, modifiers = 0): Promise<void> {
    const codes: Record<string, number> = { Tab: 9, Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40 }
    const text = key === 'Enter' ? '\r' : key.length === 1 && modifiers % 8 === 0 ? key : undefined
    const code = /^[a-z]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : codes[key]
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers, ...(text === undefined ? {} : { text }) }
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  }

  /** Types into a field as a person does. */
  async type(field: string, text: string): Promise<void> {
    await this.evaluate(`document.querySelector(${JSON.stringify(field)}).focus()`)
    await this.send('Input.insertText', { text })
  }

  /** How people have set up their systems: `prefers-color-scheme: dark`, `forced-colors: active`; or a sheet of paper. */
  async media(features: Record<string, string>, media = ''): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { media, features: Object.entries(features).map(([name, value]) => ({ name, value })) })
  }

  #receive(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message)
      this.#waiting.delete(message.id)
    }
    const { entry, request } = (message.params ?? {}) as { entry?: { level: string; text: string; url?: string }; request?: { url: string } }
    if (message.method === 'Network.requestWillBeSent' && request) this.requests.push(request.url)
    if (message.method === 'Log.entryAdded' && entry?.level === 'error') this.complaints.push(`${entry.text} ${entry.url ?? ''}`)
    if (message.method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(message.params))
  }

  async [Symbol.asyncDispose](): Promise<void> {
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
