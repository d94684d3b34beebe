/** Most texts and attributes have none of these. */
const special = /["&'<>\0]/

/** Text as HTML shows it, also between quotes. The one character that HTML cannot have is shown as missing; others that show nothing stay what they are. */
export function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  const escaped = Bun.escapeHTML(text)
  return escaped.includes('\0') ? escaped.replaceAll('\0', '\ufffd') : escaped
}
