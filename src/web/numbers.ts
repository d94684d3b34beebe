const english = new Intl.NumberFormat('en')

/** Formats a number for people: `12,345`. */
export function numberText(count: number): string {
  return count > -1000 && count < 1000 ? String(count) : english.format(count)
}

/** Formats a number of things: `1 commit`, `12,345 commits`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`
}
