import { button, make } from './page.ts'

/** Keys by what they do on this page, in words. */
export type KeyList = readonly (readonly [keys: string, words: string])[]

const SETTING = 'pf:keys'
let list: () => KeyList = () => []

/** @param keys those there are, asked for when they are shown */
export function tellKeys(keys: () => KeyList): void {
  list = keys
}

/** Single keys get in the way of who speaks to their machine, or holds something else than a keyboard: they can be switched off. WCAG 2.1.4 */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off'
  } catch {
    return true
  }
}

export function showKeys(): void {
  const choice = make('input', { type: 'checkbox', name: 'keys' })
  choice.checked = areKeysOn()
  choice.addEventListener('change', () => localStorage.setItem(SETTING, choice.checked ? 'on' : 'off'))
  const dialog = make(
    'dialog',
    { 'data-keys': true, 'aria-labelledby': 'keys-title' },
    make('h2', { id: 'keys-title' }, 'Keyboard shortcuts'),
    make('dl', {}, ...list().flatMap(([keys, words]) => [make('dt', {}, ...keys.split(' ').map((key) => make('kbd', {}, key))), make('dd', {}, words)])),
    make('label', { class: 'choice' }, choice, ' Enable single-key shortcuts in this browser'),
    make(
      'p',
      {},
      button('Close', () => dialog.close()),
    ),
  )
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  document.body.append(dialog)
  dialog.showModal()
}
