/** Signs that are not seen, or that turn the direction of text: what is read is then not what runs. Source: Unicode TR 36, 2.2; CVE-2021-42574. */
const odd = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/
const everyOdd = new RegExp(odd.source, 'g')

export function hasOddCharacters(text: string): boolean {
  return odd.test(text)
}

/** So many are shown by their numbers, each of which is thirty characters of markup; the rest stand as what cannot be shown. */
const MOST_NUMBERED = 5000

/** Shows such signs by their numbers, so that they turn nothing. @param html whose tags have none of them */
export function showOddCharacters(html: string): string {
  return oddCharacters()(html)
}

/** The same for all texts of one page together. */
export function oddCharacters(): (html: string) => string {
  let left = MOST_NUMBERED
  const shown = (sign: string) => (--left < 0 ? '\ufffd' : `<mark class="odd">U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}</mark>`)
  return (html) => (odd.test(html) ? html.replace(everyOdd, shown) : html)
}
