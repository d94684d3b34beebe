import { isSealed, type SecretBox } from '#kernel/secret-box.ts'
import type { Letter } from './letter.ts'

const purposeOf = (part: 'text' | 'html') => `mail ${part}`

/** A letter as the store has it while it waits: its links give an account a new password, and a copy of the database must not tell them. */
export function sealLetter(secrets: SecretBox, { subject, text, html }: Letter): Letter {
  return { subject, text: secrets.seal(text, purposeOf('text')), html: secrets.seal(html, purposeOf('html')) }
}

/** What `sealLetter` has sealed; what waits since before letters were sealed is as it was written. @throws SecretLost */
export function openLetter(secrets: SecretBox, { text, html }: Pick<Letter, 'text' | 'html'>): Pick<Letter, 'text' | 'html'> {
  const open = (part: 'text' | 'html', content: string) => (isSealed(content) ? secrets.open(content, purposeOf(part)) : content)
  return { text: open('text', text), html: open('html', html) }
}
