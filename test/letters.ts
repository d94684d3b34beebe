import { type Letter, openLetter } from '#outbound/mail/index.ts'
import type { TestForge } from './harness.ts'

/** Letters that wait for an address or an account, the oldest first, as their readers will see them. */
export function waitingLetters({ context }: TestForge, to: { address: string } | { userId: number }): Letter[] {
  const [column, value] = 'address' in to ? ['sent_to', to.address] : ['user_id', to.userId]
  const rows = context.db.all<Letter>(`SELECT subject, text, html FROM mail WHERE ${column} = ? ORDER BY id`, value)
  return rows.map((row) => ({ subject: row.subject, ...openLetter(context.secrets, row) }))
}
