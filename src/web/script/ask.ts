/** What the server answered. */
export interface Answer {
  status: number
  /** Where it led, without what its address had after `#`. */
  url: string
  /** Parsed by the browser, which runs nothing of it: no text of ours becomes markup. Null for what is no HTML. */
  page: Document | null
}

interface Asked {
  body?: FormData
  /** How much of the body is sent, from 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/** @throws Error in words, when there is no answer */
export function ask(url: string, { body, onProgress, signal }: Asked = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const http = new XMLHttpRequest()
    http.open(body ? 'POST' : 'GET', url)
    http.responseType = 'document'
    http.setRequestHeader('Accept', 'text/html')
    http.onload = () => resolve({ status: http.status, url: http.responseURL, page: http.response as Document | null })
    http.onerror = () => reject(new Error('The server did not respond. Check your connection and try again.'))
    http.onabort = () => reject(new Error('The request was canceled.'))
    http.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total)
    signal?.addEventListener('abort', () => http.abort())
    http.send(body)
  })
}

/** Returns whether the page asks for a sign-in because the session has ended. */
export function isSignIn({ page }: Answer): boolean {
  return page?.querySelector('main form[action$="/user/login"]') != null
}

/** Why a form was not taken, as its page says it. */
export function reasonIn(answer: Answer): string {
  const { status, page } = answer
  if (isSignIn(answer)) return 'You are signed out. Sign in again in another tab, then submit this form again.'
  const said = page?.querySelector('[role=alert]:not([hidden]), .problem p')?.textContent.trim()
  return said || `The server returned an error (HTTP ${status}).`
}

/** A part of a page that was asked for by itself; whole pages, as of a session that has ended, are none. Undefined for what cannot be put in. */
export function partIn({ status, page }: Answer, isRows = false): DocumentFragment | undefined {
  if (status !== 200 || !page || page.querySelector('main')) return undefined
  for (const script of page.querySelectorAll('script')) script.remove()
  const part = document.createDocumentFragment()
  part.append(...(isRows ? page.querySelectorAll('body > table > tbody > tr') : page.body.childNodes))
  return part
}
