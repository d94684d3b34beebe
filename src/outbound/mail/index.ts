export { type Letter, oneLine, writeLetter } from './letter.ts'
export { Outbox } from './outbox.ts'
export type { WaitingMail } from './store.ts'
