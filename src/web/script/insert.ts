/** Links that lead to the same form with more in its text put that into the text where one is writing, and what was typed stays. */
export function insertWords(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-insert]') : null
    const text = link?.closest('form')?.querySelector('textarea')
    if (!link || !text) return
    event.preventDefault()
    insert(text, link.dataset.insert ?? '')
  })
}

/** At the caret, as if it were typed, so that it can be undone. */
export function insert(text: HTMLTextAreaElement, words: string): void {
  const before = text.value.slice(0, text.selectionStart)
  const apart = before === '' || before.endsWith('\n') ? '' : '\n'
  text.focus()
  if (document.execCommand('insertText', false, `${apart}${words}\n`)) return
  text.setRangeText(`${apart}${words}\n`, text.selectionStart, text.selectionEnd, 'end')
  text.dispatchEvent(new Event('input', { bubbles: true }))
}
