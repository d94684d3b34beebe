const steps = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Made when it is first needed: that takes longer than loading all that lies around it. */
let words: Intl.RelativeTimeFormat | undefined

/** How long ago, or in how long: `3 days ago`. The server says it, and the script again while a page stays open. @param seconds below zero: ago */
export function ageInWords(seconds: number): string {
  for (const [unit, length] of steps) if (Math.abs(seconds) >= length) return inWords(Math.trunc(seconds / length), unit)
  return 'just now'
}

/** What `words` says, by unit and number: of each unit there are only as many as the next one has, and lists say the same again and again. */
const said = new Map<string, Map<number, string>>(steps.map(([unit]) => [unit, new Map()]))

function inWords(count: number, unit: (typeof steps)[number][0]): string {
  const known = said.get(unit)?.get(count)
  if (known !== undefined) return known
  words ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const text = words.format(count, unit)
  said.get(unit)?.set(count, text)
  return text
}
