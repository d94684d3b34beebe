import { ask, partIn, reasonIn } from './ask.ts'
import { at, button, make, onEnhance, repoHere, viewer } from './page.ts'

/** Looks at a text as it would be shown, in place. A form can say in `data-preview` where that is answered; else the repository does. */
export function showPreviews(): void {
  onEnhance.add((root) => {
    for (const form of root.querySelectorAll<HTMLFormElement>('form[method=post]:has(textarea[name=body])')) addButton(form)
  })
}

function addButton(form: HTMLFormElement): void {
  const text = form.querySelector<HTMLTextAreaElement>('textarea[name=body]')
  const address = form.dataset.preview ?? (repoHere() && at(`${repoHere()}/preview`))
  if (!text || !address || viewer === '') return
  const place = make('section', { class: 'text', 'aria-label': 'Preview', 'aria-live': 'polite', hidden: true })
  const look = () => void show(address, text, place, toggle)
  // Where the form has a button for it that leads to a page, it is that one's place.
  const former = form.querySelector('button[value=preview]')
  const toggle = button('Preview', look, { 'aria-pressed': 'false' })
  if (former) former.replaceWith(toggle)
  else form.querySelector('button[type=submit]')?.after(' ', toggle)
  text.closest('label')?.after(place)
}

async function show(address: string, text: HTMLTextAreaElement, place: HTMLElement, toggle: HTMLButtonElement): Promise<void> {
  const isShown = toggle.getAttribute('aria-pressed') === 'true'
  toggle.setAttribute('aria-pressed', String(!isShown))
  place.hidden = isShown
  if (isShown) return text.focus()
  place.replaceChildren('…')
  const body = new FormData()
  body.set('text', text.value)
  const answer = await ask(address, { body }).catch((error: Error) => error)
  const part = answer instanceof Error ? undefined : partIn(answer)
  if (part) {
    showFiles(part, text)
    onEnhance.run(part)
  }
  place.replaceChildren(part ?? (answer instanceof Error ? answer.message : reasonIn(answer)))
  text.addEventListener('input', () => toggle.getAttribute('aria-pressed') === 'true' && void show(address, text, place, toggle), { once: true })
}

/** Files that go with the text are not at the server yet: their pictures are shown from here, as data, which is what the page may load. */
function showFiles(part: ParentNode, { value, form }: HTMLTextAreaElement): void {
  const files = [...(form?.querySelectorAll<HTMLInputElement>('input[type=file]') ?? [])].flatMap(({ files }) => [...(files ?? [])])
  const named = [...value.matchAll(/!\[[^\]\n]*\]\(attachment:([^()\s]+)\)/g)]
  for (const [at, image] of [...part.querySelectorAll<HTMLImageElement>('img:not([src])')].entries()) {
    const told = named[at]?.[1]
    const file = files.find(({ name }) => name === told || encodeURIComponent(name) === told)
    if (!file) continue
    const reader = new FileReader()
    reader.onload = () => {
      image.src = String(reader.result)
    }
    reader.readAsDataURL(file)
  }
}
