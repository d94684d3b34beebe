import { ask, reasonIn } from './ask.ts'
import { actionOf, onEnhance, tell } from './page.ts'

/** Boxes of task lists are ticked in place; what others have ticked meanwhile shows with it. */
export function tickInPlace(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    const box = event.submitter
    if (form.dataset.ticks === undefined || !box) return
    event.preventDefault()
    void tick(form, box as HTMLButtonElement)
  })
}

async function tick(form: HTMLFormElement, box: HTMLButtonElement): Promise<void> {
  const body = new FormData(form, box)
  box.setAttribute('aria-busy', 'true')
  box.ariaChecked = String(box.ariaChecked !== 'true')
  const answer = await ask(actionOf(form), { body }).catch((error: Error) => error)
  const written = form.closest<HTMLElement>('article')
  const now = answer instanceof Error ? undefined : answer.page?.getElementById(written?.id ?? '')
  box.removeAttribute('aria-busy')
  if (written && now) return bringUpToDate(written, now, box.ariaLabel ?? '')
  box.ariaChecked = String(box.ariaChecked !== 'true')
  tell(answer instanceof Error ? answer.message : reasonIn(answer))
}

/** The text, and the form that changes it, unless something is typed there: then the server says that the text has been changed. */
function bringUpToDate(written: HTMLElement, now: HTMLElement, name: string): void {
  const [text, fresh] = [written, now].map((one) => one.querySelector(':scope > .text'))
  if (!text || !fresh) return
  const part = document.createDocumentFragment()
  part.append(...fresh.childNodes)
  onEnhance.run(part)
  text.replaceChildren(part)
  ;[...text.querySelectorAll<HTMLElement>('[role=checkbox]')].find((one) => one.ariaLabel === name)?.focus()
  const [field, version] = ['textarea[name=body]', 'input[name=content_version]'].map((one) =>
    written.querySelector<HTMLTextAreaElement | HTMLInputElement>(one),
  )
  if (!field || field.value !== field.defaultValue) return
  field.value = field.defaultValue = now.querySelector<HTMLTextAreaElement>('textarea[name=body]')?.value ?? field.value
  if (version) version.value = now.querySelector<HTMLInputElement>('input[name=content_version]')?.value ?? version.value
}
