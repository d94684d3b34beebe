import { flag, type SettingList, secret, setting, text, type ValuesOf, whole } from '#kernel/settings.ts'
import type { NetworkConfig } from '#outbound/network/index.ts'

const mailProtocols = ['', 'smtp', 'smtps', 'smtp+starttls', 'smtp+unix', 'sendmail', 'dummy'] as const
const PROTOCOL_DOC =
  'How mail leaves. One of smtp, smtps, smtp+starttls, smtp+unix, sendmail, dummy, which logs it. Empty: as SMTP_ADDR and SMTP_PORT suggest, else smtps.'

/** `smtp+startls` is what Gitea once called it. */
function readMailProtocol(value: unknown): (typeof mailProtocols)[number] {
  const found = value === 'smtp+startls' ? 'smtp+starttls' : mailProtocols.find((one) => one === value)
  if (found === undefined) throw new Error(`one of ${mailProtocols.slice(1).join(', ')} is expected`)
  return found
}

/** How mail leaves. */
export const mailerSettings = {
  mailer: {
    ENABLED: flag(false, 'Send mail.'),
    PROTOCOL: setting<(typeof mailProtocols)[number]>('', PROTOCOL_DOC, readMailProtocol),
    SMTP_ADDR: text('', 'The mail server: its name or address, or the path of its socket with smtp+unix.'),
    SMTP_PORT: whole(0, 'Its port; 0 is 25 for smtp, 465 for smtps, 587 for smtp+starttls.', 0, 65535),
    USER: text('', 'Whom to sign in to it as; empty: nobody.'),
    PASSWD: secret('The password for that.'),
    FROM: text('', 'Sender of all mail, e.g. "Forge <forge@example.org>". Empty: USER.'),
    SUBJECT_PREFIX: text('', 'What every subject begins with.'),
    SENDMAIL_PATH: text('/usr/sbin/sendmail', 'With sendmail: the program that takes the mail, always called with -i -f SENDER -- RECIPIENT.'),
    HELO_HOSTNAME: text('', 'What to greet the mail server as. Empty: the name of this machine.'),
    SEND_BUFFER_LEN: whole(1000, 'Mails that may wait; further ones are dropped.', 1, 1_000_000),
  },
} as const satisfies SettingList

/** What mail asks of the configuration. */
export type MailConfig = ValuesOf<typeof mailerSettings> & NetworkConfig
