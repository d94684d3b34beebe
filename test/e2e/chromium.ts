import { eventually } from '../eventually.ts'
import { type BrowserOptions, type Message, Wire } from './chromium-wire.ts'

export { chromiumPath } from './chromium-wire.ts'

export type Fields = Readonly<Record<string, string | readonly string[]>>

/** Each check is a round trip to a browser that is busy with what the check waits for. */
const BROWSER_PAUSE_MS = 25

/** Where on a page a button is: in what a selector finds, if that says something. */
export interface Place {
  of: string
  saying?: string
}

/** Runs in the page, also where scripts are off; answers what is in the way. */
const fillIn = `(words, fields, { of, saying = '' }) => {
  const places = [...document.querySelectorAll(of)].filter((one) => one.textContent.includes(saying))
  const buttons = places.flatMap((one) => [...one.querySelectorAll('button')]).filter((one) => (one.ariaLabel ?? one.textContent.trim()) === words)
  globalThis.button = buttons.find((one) => one.checkVisibility()) ?? buttons[0]
  if (!button) return 'none says that, but ' + places.flatMap((one) => [...one.querySelectorAll('button')]).map((one) => one.ariaLabel ?? one.textContent.trim()).join(', ')
  for (let around = button.closest('details'); around; around = around.parentElement.closest('details')) around.open = true
  if (!button.checkVisibility()) return 'one cannot see it'
  for (const [name, value] of Object.entries(fields)) {
    const all = [...button.form.elements].filter((one) => one.name === name && one.type !== 'hidden')
    if (all.length === 0) return 'it has no field ' + name
    const boxes = all.filter(({ type }) => type === 'checkbox' || type === 'radio')
    for (const one of boxes) one.checked = [value].flat().includes(one.value)
    for (const one of all) if (!boxes.includes(one)) one.value = value
  }
  return ''
}`

/** One page of a browser. */
export class Chromium implements AsyncDisposable {
  readonly #wire: Wire
  readonly #target: string
  readonly #session: string
  /** Cookies and storage that its tabs share. */
  readonly #profile: string | undefined
  readonly #isFirst: boolean
  /** What the page or the browser complained about: errors, refused scripts and styles, addresses that were not found. */
  readonly complaints: string[] = []
  /** What was asked for over the network. */
  readonly requests: string[] = []
  /** How many pages it has loaded, with all that belongs to them. */
  #loads = 0

  private constructor(wire: Wire, target: string, session: string, profile: string | undefined, isFirst: boolean) {
    this.#wire = wire
    this.#target = target
    this.#session = session
    this.#profile = profile
    this.#isFirst = isFirst
    wire.listen(session, (message) => this.#hear(message))
  }

  /** @param directory where it keeps what it stores */
  static async start(directory: string, options: BrowserOptions = {}): Promise<Chromium> {
    const wire = await Wire.open(directory, options)
    return Chromium.#show(wire, undefined, true)
  }

  /** In a window of its own: what is hidden behind another tab does not load its pictures. */
  static async #show(wire: Wire, profile: string | undefined, isFirst: boolean): Promise<Chromium> {
    const { targetId } = await wire.send('Target.createTarget', { url: 'about:blank', browserContextId: profile, newWindow: true })
    const { sessionId } = await wire.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new Chromium(wire, targetId as string, sessionId as string, profile, isFirst)
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`)
    return page
  }

  /** A page of somebody else's, whose cookies and storage are their own; it ends with the browser. */
  async somebodyElse(): Promise<Chromium> {
    const { browserContextId } = await this.#wire.send('Target.createBrowserContext')
    return Chromium.#show(this.#wire, browserContextId as string, false)
  }

  /** Another tab of the same person. */
  anotherTab(): Promise<Chromium> {
    return Chromium.#show(this.#wire, this.#profile, false)
  }

  /** @throws Error with what the browser says is wrong */
  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.#wire.send(method, params, this.#session)
  }

  /** Opens an address and waits until its page is whole. */
  async open(address: string): Promise<void> {
    const before = this.#loads
    const { loaderId, errorText } = await this.send('Page.navigate', { url: address })
    // Another place of the same page loads nothing.
    if (loaderId !== undefined && errorText === undefined) await eventually(() => this.#loads > before, address)
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
    const check = () => this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)
    try {
      await eventually(check, expression, { pauseMs: BROWSER_PAUSE_MS })
    } catch (cause) {
      throw new Error(`Not true in the page: ${expression}\n${await this.evaluate<string>('document.body.innerText')}`, { cause })
    }
  }

  /** Types into the fields of a form and sends it with its button, and waits for the page that this leads to. */
  async submit(form: string, fields: Record<string, string> = {}): Promise<void> {
    const typed = JSON.stringify(fields)
    await this.leave(`
      form = document.querySelector(${JSON.stringify(form)})
      for (const [name, value] of Object.entries(${typed})) form.elements[name].value = value
      form.querySelector('button[type=submit]').click()`)
  }

  /** Does what leads to another page, and waits for that. @param deed an expression */
  async leave(deed: string): Promise<void> {
    const before = this.#loads
    await this.evaluate(`globalThis.isLeft = false; ${deed}`)
    await eventually(() => this.#loads > before, deed)
    await this.until("globalThis.isLeft === undefined && document.readyState === 'complete'")
  }

  /**
   * Fills in the form of the button that says something, and presses that. What the button is folded into is opened first.
   * @param fields by their names: what to type, or which boxes of that name to tick
   */
  async choose(words: string, fields: Fields = {}, place?: Place): Promise<void> {
    await this.prepare(words, fields, place)
    await this.leave('button.click()')
  }

  /** The same for a form that is sent from the page as it stands, where scripts run: waits until the form is gone. */
  async chooseInPlace(words: string, fields: Fields = {}, place?: Place): Promise<void> {
    await this.prepare(words, fields, place)
    await this.evaluate('button.click()')
    await this.until("!globalThis.button?.isConnected && document.readyState === 'complete'")
  }

  /** The same up to the press; the button is then known to the page as `button`. */
  async prepare(words: string, fields: Fields = {}, place: Place = { of: 'main' }): Promise<void> {
    const trouble = await this.evaluate<string>(`(${fillIn})(${JSON.stringify(words)}, ${JSON.stringify(fields)}, ${JSON.stringify(place)})`)
    if (trouble !== '') throw new Error(`Cannot press “${words}” on ${await this.evaluate('location.href')}: ${trouble}`)
  }

  /** Puts a file from this machine into a form's field. */
  async attach(field: string, path: string): Promise<void> {
    const { root } = await this.send('DOM.getDocument')
    const { nodeId } = await this.send('DOM.querySelector', { nodeId: (root as { nodeId: number }).nodeId, selector: field })
    await this.send('DOM.setFileInputFiles', { nodeId, files: [path] })
  }

  /** What stands in the first element that a selector finds. */
  text(selector = 'main'): Promise<string> {
    return this.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`)
  }

  /** Follows the first link that has this text, beside a count at most. */
  async follow(text: string): Promise<void> {
    const textOf = `one.textContent.replace(one.querySelector('.count')?.textContent ?? '', '').trim()`
    await this.leave(`[...document.querySelectorAll('main a')].find((one) => ${textOf} === ${JSON.stringify(text)}).click()`)
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

  #hear(message: Message): void {
    const { entry, request } = (message.params ?? {}) as { entry?: { level: string; text: string; url?: string }; request?: { url: string } }
    if (message.method === 'Page.loadEventFired') this.#loads++
    if (message.method === 'Network.requestWillBeSent' && request) this.requests.push(request.url)
    if (message.method === 'Log.entryAdded' && entry?.level === 'error') this.complaints.push(`${entry.text} ${entry.url ?? ''}`)
    if (message.method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(message.params))
  }

  /** Of the first page the whole browser; of others the page. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isFirst) await this.#wire.close()
    else await this.#wire.send('Target.closeTarget', { targetId: this.#target })
  }
}
