export { type Letter, writeLetter } from './letter.ts'
export { Outbox } from './outbox.ts'
export { openLetter } from './sealed-letter.ts'
export type { WaitingMail } from './store.ts'
