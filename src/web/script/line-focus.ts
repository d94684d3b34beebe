/** Moves the focus between the line numbers of a table with the arrow keys. One of them is a tab stop. */
export function moveAmongLines(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('td.n > a') : null
    if (by === 0 || !link || ctrlKey || metaKey || altKey || shiftKey) return
    const next = neighbour(link, by)
    if (!next) return
    event.preventDefault()
    link.tabIndex = -1
    next.tabIndex = 0
    next.focus()
  })
}

/** Returns the link of the next line number, in the same column if possible. */
function neighbour(link: HTMLAnchorElement, by: 1 | -1): HTMLAnchorElement | undefined {
  const column = (link.parentElement as HTMLTableCellElement).cellIndex
  const row = link.closest('tr') as HTMLTableRowElement
  const rows = (row.closest('table') as HTMLTableElement).rows
  for (let at = row.rowIndex + by; at >= 0 && at < rows.length; at += by) {
    const links = [...(rows[at] as HTMLTableRowElement).cells].map((cell) => cell.querySelector<HTMLAnchorElement>(':scope.n > a'))
    const found = links[column] ?? links.find((one) => one !== null)
    if (found) return found
  }
  return undefined
}
