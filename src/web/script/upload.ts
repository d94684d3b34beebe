import { type Answer, ask, isSignIn, reasonIn } from './ask.ts'
import { forgetForm } from './drafts.ts'
import { actionOf, button, isPost, make, tell } from './page.ts'
import { begin, end } from './sending.ts'

/** Forms with more than this of files say how far they are, in bytes. */
const LARGE = 256 * 1024

/** Files take their time: they are sent from the page as it stands, which tells how far that is, can be stopped, and loses nothing when it fails. */
export function showUploads(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const button = event.submitter as HTMLButtonElement | null
    if (event.defaultPrevented || !isPost(form) || form.enctype !== 'multipart/form-data' || sizeOf(form) < LARGE) return
    event.preventDefault()
    if (!form.hasAttribute('aria-busy')) void send(form, button)
  })
}

function sizeOf(form: HTMLFormElement): number {
  const files = [...form.querySelectorAll<HTMLInputElement>('input[type=file]')].flatMap(({ files }) => [...(files ?? [])])
  return files.reduce((sum, { size }) => sum + size, 0)
}

async function send(form: HTMLFormElement, submitter: HTMLButtonElement | null): Promise<void> {
  const body = new FormData(form, submitter)
  const stop = new AbortController()
  const bar = make('progress', { max: '1', value: '0', 'aria-label': 'Upload progress' })
  const said = make('span', {}, 'Uploading…')
  const shown = make(
    'p',
    { 'data-progress': true },
    bar,
    said,
    button('Cancel upload', () => stop.abort()),
  )
  form.querySelector('[data-trouble]')?.remove()
  form.append(shown)
  tell('Uploading files.')
  begin(form)
  const onProgress = (part: number) => {
    bar.value = part
    said.textContent = part < 1 ? `${Math.floor(part * 100)}% uploaded` : 'Uploaded. Waiting for the server…'
  }
  try {
    const answer = await ask(actionOf(form), { body, onProgress, signal: stop.signal })
    if (!isTaken(form, answer)) throw new Error(reasonIn(answer))
    forgetForm(form)
    leaveFor(answer)
  } catch (error) {
    form.prepend(make('p', { 'data-trouble': true, class: 'error', role: 'alert' }, (error as Error).message))
  } finally {
    shown.remove()
    end(form)
  }
}

/** What was taken leads elsewhere, or to the same page again, which has no complaint then. */
function isTaken(form: HTMLFormElement, answer: Answer): boolean {
  if (answer.status >= 400 || isSignIn(answer)) return false
  return new URL(answer.url).pathname !== actionOf(form) || !answer.page?.querySelector('main [role=alert]:not([hidden])')
}

/** To the comment that was made, which is the last; the browser does not tell what the address had after `#`. */
function leaveFor({ url, page }: Answer): void {
  const written = [...(page?.querySelectorAll('article[id^=issuecomment-]') ?? [])].at(-1)
  if (new URL(url).pathname !== location.pathname || !written) return location.assign(url)
  history.replaceState(history.state, '', `${url}#${written.id}`)
  location.reload()
}
