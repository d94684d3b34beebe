import { copyButton } from './copy.ts'
import { button, make } from './page.ts'

interface Range {
  first: number
  last: number
}

/** Lines of a file are named in its address, `#L3` or `#L3-L9`: by a click on a number, and by one with shift on another. */
export function pickLines(): void {
  if (!hasLines()) return
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#L"]') : null
    const to = link && rangeIn(link.getAttribute('href') as string)
    const from = rangeIn(location.hash)
    if (!to || !event.shiftKey || !from) return
    event.preventDefault()
    const [first, last] = [Math.min(from.first, to.first), Math.max(from.first, to.first)]
    history.replaceState(history.state, '', `#L${first}-L${last}`)
    show()
  })
  addEventListener('hashchange', () => show())
  show(true)
}

export function hasLines(): boolean {
  return document.getElementById('L1') !== null
}

function rangeIn(hash: string): Range | undefined {
  const [, first, last = first] = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? []
  return first === undefined ? undefined : { first: Math.min(Number(first), Number(last)), last: Math.max(Number(first), Number(last)) }
}

/** What the server has marked. */
function rangeAsked(): Range | undefined {
  return rangeIn(`#L${new URL(location.href).searchParams.get('lines') ?? ''}`)
}

/** Once others are picked the address is to name those alone. */
function forgetAsked(): void {
  const address = withoutLines(location.href)
  if (address !== location.href) history.replaceState(history.state, '', address)
}

function withoutLines(address: string): string {
  const url = new URL(address)
  if (!url.searchParams.has('lines')) return address
  url.searchParams.delete('lines')
  return url.href
}

const rowOf = (line: number) => document.getElementById(`L${line}`)

function show(isArrival = false): void {
  for (const row of document.querySelectorAll('[data-picked]')) row.removeAttribute('data-picked')
  document.querySelector('[data-lines]')?.remove()
  const range = rangeIn(location.hash) ?? (isArrival ? rangeAsked() : undefined)
  if (!isArrival) forgetAsked()
  if (!range) return
  for (let line = range.first; line <= range.last; line++) {
    const row = rowOf(line)
    if (!row) break
    row.setAttribute('data-picked', '')
  }
  // To a single line the browser goes by itself.
  if (isArrival && range.last > range.first) rowOf(range.first)?.scrollIntoView({ block: 'center' })
  if (rowOf(range.first)) document.querySelector('main')?.append(tools(range))
}

/** What can be done with the lines. */
function tools({ first, last }: Range): HTMLElement {
  const hash = () => location.hash
  const permalink = [...document.querySelectorAll<HTMLAnchorElement>('main a[href]')].find((link) => link.textContent.trim() === 'Permalink')
  const lasting = permalink && copyButton(() => withoutLines(permalink.href).replace(/#.*$/, '') + hash(), 'Copy permalink')
  const said = first === last ? `Line ${first}` : `Lines ${first}–${last}`
  return make(
    'div',
    { 'data-lines': true, role: 'group', 'aria-label': said },
    make('span', {}, said),
    copyButton(() => location.href, 'Copy link'),
    ...(lasting ? [lasting] : []),
  )
}

/** Asks for a number and goes there. */
export function askLine(): void {
  const field = make('input', {
    inputmode: 'numeric',
    pattern: '\\d{1,7}(-\\d{1,7})?',
    'aria-label': 'Line number or range',
    placeholder: '12 or 12-20',
    required: true,
  })
  const form = make(
    'form',
    { method: 'dialog' },
    field,
    ' ',
    make('button', { class: 'primary' }, 'Go'),
    ' ',
    button('Close', () => dialog.close()),
  )
  const dialog = make('dialog', { 'data-keys': true, 'aria-label': 'Go to line' }, form)
  form.addEventListener('submit', () => {
    const [first, last] = field.value.split('-')
    location.hash = last === undefined ? `#L${first}` : `#L${first}-L${last}`
    rowOf(Number(first))?.scrollIntoView({ block: 'center' })
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
