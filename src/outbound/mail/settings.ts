import { flag, type SettingList, secret, setting, text, type ValuesOf, whole } from '#kernel/settings.ts'
import type { NetworkConfig } from '#outbound/network/index.ts'

const mailProtocols = ['', 'smtp', 'smtps', 'smtp+starttls', 'smtp+unix', 'sendmail', 'dummy'] as const
const PROTOCOL_DOC =
  'Mail protocol. One of smtp, smtps, smtp+starttls, smtp+unix, sendmail, dummy. dummy only logs emails. Empty: chosen from SMTP_ADDR and SMTP_PORT, otherwise smtps.'

/** `smtp+startls` is what Gitea once called it. */
function readMailProtocol(value: unknown): (typeof mailProtocols)[number] {
  const found = value === 'smtp+startls' ? 'smtp+starttls' : mailProtocols.find((one) => one === value)
  if (found === undefined) throw new Error(`expected one of ${mailProtocols.slice(1).join(', ')}`)
  return found
}

/** How mail leaves. */
export const mailerSettings = {
  mailer: {
    ENABLED: flag(false, 'Send mail.'),
    PROTOCOL: setting<(typeof mailProtocols)[number]>('', PROTOCOL_DOC, readMailProtocol),
    SMTP_ADDR: text('', 'Host name or IP address of the mail server. With smtp+unix, the path of its socket.'),
    SMTP_PORT: whole(0, 'Port of the mail server. 0: 25 for smtp, 465 for smtps, 587 for smtp+starttls.', 0, 65535),
    USER: text('', 'Username for the mail server. Empty: no authentication.'),
    PASSWD: secret('Password for the mail server.'),
    FROM: text('', 'Sender of all emails, such as "Forge <forge@example.org>". Empty: the value of USER.'),
    SUBJECT_PREFIX: text('', 'Prefix of every email subject.'),
    SENDMAIL_PATH: text('/usr/sbin/sendmail', 'Absolute path of the sendmail program, called with -i -f SENDER -- RECIPIENT.'),
    HELO_HOSTNAME: text('', 'Host name to send in HELO or EHLO. Empty: the host name of this machine.'),
    SEND_BUFFER_LEN: whole(1000, 'Maximum number of emails in the queue. Further emails are dropped.', 1, 1_000_000),
  },
} as const satisfies SettingList

/** What mail asks of the configuration. */
export type MailConfig = ValuesOf<typeof mailerSettings> & NetworkConfig
