import { insert } from './insert.ts'
import { onEnhance, tell } from './page.ts'

const picture = /^image\/(?:avif|bmp|gif|jpeg|png|webp)$/

/** Files that are pasted or dropped into a text join those that its form sends, and the text says where they stand. */
export function takeFiles(): void {
  document.addEventListener('paste', (event) => {
    const { target, clipboardData } = event
    const files = [...(clipboardData?.files ?? [])]
    // Programs that copy a text often add a picture of it: then the text is meant.
    if (files.length > 0 && !clipboardData?.types.includes('text/plain') && take(target, files)) event.preventDefault()
  })
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') && inputBeside(event.target)) event.preventDefault()
  })
  document.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length > 0 && take(event.target, files)) event.preventDefault()
  })
  onEnhance.add((root) => {
    for (const input of root.querySelectorAll<HTMLInputElement>('input[type=file][multiple]')) keepChosen(input)
  })
}

/** Where the form of a text takes files. */
function inputBeside(target: EventTarget | null): HTMLInputElement | undefined {
  const form = target instanceof HTMLTextAreaElement ? target.form : null
  return form?.querySelector<HTMLInputElement>('input[type=file][multiple]') ?? undefined
}

function take(target: EventTarget | null, files: readonly File[]): boolean {
  const input = inputBeside(target)
  if (!input) return false
  const all = new DataTransfer()
  for (const file of input.files ?? []) all.items.add(file)
  const names = new Set([...all.files].map(({ name }) => name))
  const added = files.map((file) => renamed(file, names))
  for (const file of added) all.items.add(file)
  input.files = all.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
  const text = target as HTMLTextAreaElement
  insert(text, added.map(referenceTo).join('\n'))
  tell(`Added ${added.map(({ name }) => name).join(', ')}.`)
  return true
}

/** Pasted pictures are all called `image.png`: names tell them apart, and mean the same in a text and in an address. */
function renamed(file: File, taken: Set<string>): File {
  const [, stem = '', ending = ''] = /^(.*?)(\.[\w.]{1,12})?$/s.exec(file.name.replace(/[^\p{L}\p{N}._-]+/gu, '-')) ?? []
  let name = `${stem || 'file'}${ending}`
  for (let i = 2; taken.has(name); i++) name = `${stem || 'file'}-${i}${ending}`
  taken.add(name)
  return name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })
}

/** The server puts the file's address in when it takes both. */
function referenceTo({ name, type }: File): string {
  return `${picture.test(type) ? '!' : ''}[${name}](attachment:${encodeURIComponent(name)})`
}

/** Browsers forget the files of before when more are chosen. */
function keepChosen(input: HTMLInputElement): void {
  let chosen: File[] = []
  input.addEventListener('change', ({ isTrusted }) => {
    const now = [...(input.files ?? [])]
    if (isTrusted && now.length > 0) {
      const all = new DataTransfer()
      const isNew = (file: File) => !now.some(({ name, size }) => name === file.name && size === file.size)
      for (const file of [...chosen.filter(isNew), ...now]) all.items.add(file)
      input.files = all.files
    }
    chosen = [...(input.files ?? [])]
  })
}
