import { openJump, takeOverSearch } from './jump.ts'
import { areKeysOn, type KeyList, showKeys, tellKeys } from './key-help.ts'
import { askLine, hasLines } from './lines.ts'
import { at, repoHere } from './page.ts'

/** How long a second letter is waited for, in milliseconds. */
const PATIENCE = 1500

interface Key {
  words: string
  /** Whether it does anything on this page. */
  isThere: () => boolean
  press: () => void
}

/** Links and buttons that say which key is theirs, `data-key="b"`. */
const marked = (key: string, text?: string) =>
  [...document.querySelectorAll<HTMLElement>(`[data-key="${key}"], main a[href]`)].find(
    (one) => (one.dataset.key === key || one.textContent.trim() === text) && one.checkVisibility(),
  )

/** @param text of the link or button, where it is not marked */
function mark(key: string, words: string, text?: string): [string, Key] {
  return [key, { words, isThere: () => marked(key, text) !== undefined, press: () => follow(marked(key, text)) }]
}

/** Lines that were picked stay so. */
function follow(way: HTMLElement | undefined): void {
  if (way instanceof HTMLAnchorElement && way.hash === '' && location.hash.startsWith('#L')) way.hash = location.hash
  way?.click()
}

function toRepo(key: string, words: string, path: string, tab = path): [string, Key] {
  const isThere = () => repoHere() !== '' && document.querySelector(`nav[aria-label="Repository"] a[href$="${CSS.escape(repoHere() + tab)}"]`) !== null
  return [key, { words, isThere, press: () => location.assign(encodeURI(at(repoHere() + path))) }]
}

function move(key: string, words: string, by: number): [string, Key] {
  return [key, { words, isThere: () => items().length > 0, press: () => step(by) }]
}

const always = () => true
const keys = new Map<string, Key>([
  ['/', { words: 'Go to a repository, user, issue or page', isThere: always, press: () => openJump() }],
  ['?', { words: 'Show keyboard shortcuts', isThere: always, press: showKeys }],
  toRepo('g c', 'Go to code', '', ''),
  toRepo('g i', 'Go to issues', '/issues'),
  toRepo('g p', 'Go to pull requests', '/pulls'),
  toRepo('c', 'Create issue', '/issues/new', '/issues'),
  mark('t', 'Go to file'),
  mark('b', 'View blame', 'Blame'),
  mark('y', 'Open permalink', 'Permalink'),
  mark('e', 'Edit file', 'Edit'),
  ['l', { words: 'Go to line', isThere: hasLines, press: askLine }],
  move('j', 'Next item, file or comment', 1),
  move('k', 'Previous item, file or comment', -1),
])

let first = ''
let timer = 0

/** Keys for who types more than they point. None of them does anything while something is typed in. */
export function watchKeys(): void {
  tellKeys(describe)
  takeOverSearch()
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    if (isSend(event)) return sendForm(event)
    const { key, ctrlKey, metaKey, altKey } = event
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      event.preventDefault()
      return openJump()
    }
    if (ctrlKey || metaKey || altKey || isTyping(event.target) || document.querySelector('dialog[open]') || !areKeysOn()) return
    if (press(first === '' ? key : `${first} ${key}`) || press(key)) event.preventDefault()
  })
}

function press(name: string): boolean {
  clearTimeout(timer)
  first = ''
  const key = keys.get(name) ?? ownKeys().get(name)
  if (key?.isThere()) {
    key.press()
    return true
  }
  if ([...keys].some(([other, { isThere }]) => other.startsWith(`${name} `) && isThere())) {
    first = name
    timer = window.setTimeout(() => (first = ''), PATIENCE)
    return true
  }
  return false
}

/** Keys of which the page alone knows, in its own words. */
function ownKeys(): Map<string, Key> {
  const names = [...document.querySelectorAll<HTMLElement>('[data-key]')].map((one) => [one.dataset.key as string, one.textContent.trim()] as const)
  return new Map(names.filter(([key]) => !keys.has(key)).map(([key, words]) => mark(key, words)))
}

function describe(): KeyList {
  const there = [...keys, ...ownKeys()].filter(([, { isThere }]) => isThere()).map(([key, { words }]) => [key, words] as const)
  return [...there, ['ctrl k', 'Go to a repository, user, issue or page'], ['ctrl Enter', 'Submit the form']]
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox], [type=radio], [type=button]), textarea, select') !== null)
  )
}

function isSend({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey) && target instanceof HTMLTextAreaElement
}

/** With its first button, as Enter does in other fields. */
function sendForm(event: KeyboardEvent): void {
  const { form } = event.target as HTMLTextAreaElement
  const first = form?.querySelector<HTMLButtonElement>('button[type=submit], button:not([type])')
  event.preventDefault()
  form?.requestSubmit(first)
}

interface Item {
  /** The list item, file or comment. */
  element: Element
  /** The part that gets the focus. */
  way: HTMLElement
}

/** Returns the list items, files of a diff and comments of the page, in order. */
function items(): Item[] {
  const selectors = 'main .diff-file, main article.written, main ul.list > li, main [data-items] > *'
  return [...document.querySelectorAll(selectors)].flatMap((element) => {
    const way = element.querySelector<HTMLElement>(element.matches('.diff-file') ? ':scope > summary' : 'a.when, a[href]')
    return way?.checkVisibility() ? { element, way } : []
  })
}

function step(by: number): void {
  const all = items()
  const now = all.findLastIndex(({ element }) => element.contains(document.activeElement))
  const next = all[now === -1 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(now + by, 0), all.length - 1)]
  next?.way.focus({ preventScroll: true })
  next?.way.scrollIntoView({ block: next.element.matches('li') ? 'nearest' : 'start' })
}
