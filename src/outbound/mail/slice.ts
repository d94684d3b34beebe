import type { Slice } from '#kernel/slice.ts'
import mail from './1_mail.sql' with { type: 'text' }
import address from './2_mail_address.sql' with { type: 'text' }
import inactive from './3_inactive.sql' with { type: 'text' }
import failure from './4_failure.sql' with { type: 'text' }
import type { Outbox } from './outbox.ts'

export const slice: Slice<{ mail: Outbox }> = {
  name: 'mail',
  migrations: [
    { name: '1_mail', sql: mail, formerly: ['0021_mail'] },
    { name: '2_mail_address', sql: address },
    { name: '3_inactive', sql: inactive },
    { name: '4_failure', sql: failure },
  ],
  start: async ({ mail }) => mail.start(),
}
