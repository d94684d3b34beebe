import { anonymous, MOST_SHOWN_AGAIN, SessionCookie } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Sent } from '#kernel/bodies/sent-form.ts'
import { randomHex } from '#kernel/ids.ts'
import { LruMap } from '#kernel/lru-map.ts'
import { fillInAgain } from './form-again.ts'
import { isSecret } from './typed.tsx'
import { Visit } from './visit.ts'

/** How long a form is kept until its sender has signed in, in seconds. */
const KEPT_SECONDS = 1800
/** The size of all kept forms together, in characters. The oldest forms are dropped first. */
const MAX_CHARACTERS = 16 * 1024 * 1024

interface Carried {
  /** Path and query of the page that the form was on. */
  page: string
  action: string
  sent: Sent
  until: number
}

/** Keeps forms that were submitted without a session until their senders have signed in. A random cookie ties each form to its browser. */
export class CarriedForms {
  readonly #clock: Context['clock']
  readonly #cookie: SessionCookie
  readonly #forms = new LruMap<string, Carried>(MAX_CHARACTERS, { sizeOf: ({ sent }) => sizeOf(sent) })

  constructor({ clock, config }: Pick<Context, 'clock' | 'config'>) {
    this.#clock = clock
    this.#cookie = new SessionCookie(config, '_typed')
  }

  /** Returns the cookie to set, or undefined when the form is too long. */
  keep(page: string, action: string, sent: Sent): string | undefined {
    if (sizeOf(sent) > MOST_SHOWN_AGAIN) return undefined
    const key = randomHex(32)
    this.#forms.set(key, { page, action, sent: new Map([...sent].filter(([name]) => !isSecret(name))), until: this.#clock.seconds() + KEPT_SECONDS })
    return this.#cookie.set(key, KEPT_SECONDS)
  }

  /** Fills the kept form into its page. Returns any other response unchanged. */
  async fill(context: Context, request: Request, answer: Response): Promise<Response> {
    const key = this.#cookie.secretIn(request) ?? ''
    const carried = this.#forms.get(key)
    const isPage = answer.status === 200 && answer.headers.get('content-type')?.startsWith('text/html')
    if (!carried || !isPage || carried.until < this.#clock.seconds() || carried.page !== new Visit(context, anonymous, request).path) return answer
    const html = await answer.text()
    // A page without a session has no such form.
    const filled = fillInAgain(html, carried.action, carried.sent, 'You were signed out when you submitted this form, so it is not saved. Submit it again.')
    const headers = new Headers(answer.headers)
    headers.delete('content-length')
    if (filled === undefined) return new Response(html, { headers })
    this.#forms.delete(key)
    headers.delete('etag')
    headers.set('Cache-Control', 'no-store')
    headers.append('Set-Cookie', this.#cookie.clear())
    return new Response(filled, { headers })
  }
}

function sizeOf(sent: Sent): number {
  let size = 100
  for (const [name, texts] of sent) for (const text of texts) size += name.length + text.length
  return size
}

/** Fills the form that was submitted before the sign-in into its page. */
export async function fillCarriedForm(context: Context, request: Request, answer: Response | Promise<Response>): Promise<Response> {
  return context.services.get(CarriedForms).fill(context, request, await answer)
}
