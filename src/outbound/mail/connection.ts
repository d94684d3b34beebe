import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { MailConfig } from './settings.ts'

export interface MailSettings {
  protocol: 'smtp' | 'smtps' | 'smtp+starttls' | 'smtp+unix' | 'sendmail' | 'dummy'
  /** Host name or address; the path of a socket for `smtp+unix`, and of the program for `sendmail`. */
  host: string
  port: number
  /** Empty: nobody signs in. */
  user: string
  password: string
  from: { name: string; address: string }
  subjectPrefix: string
  /** What to greet the mail server as; undefined: this machine's own name. */
  helo: string | undefined
  /** Mails that may wait. */
  capacity: number
}

const ports = { smtp: 25, smtps: 465, 'smtp+starttls': 587, 'smtp+unix': 0, sendmail: 0, dummy: 0 } satisfies Record<MailSettings['protocol'], number>

/** The section `mailer`; undefined while nothing is to be sent. @throws Error on settings that do not fit each other, saying what would */
export function mailSettings({ mailer, network }: MailConfig): MailSettings | undefined {
  if (!mailer.ENABLED) return undefined
  const protocol = protocolOf(mailer)
  if (protocol !== 'dummy') {
    if (protocol === 'sendmail') requireProgram(mailer.SENDMAIL_PATH)
    else if (mailer.SMTP_ADDR === '') throw wrong('SMTP_ADDR', '', `${protocol} needs the address of a mail server`)
    if (protocol === 'smtp' && mailer.USER !== '' && !isThisMachine(mailer.SMTP_ADDR))
      throw wrong('PROTOCOL', 'smtp', 'it would send the password without encryption. Use smtps or smtp+starttls.')
    if (network.OFFLINE) return undefined
  }
  return {
    protocol,
    host: protocol === 'sendmail' ? mailer.SENDMAIL_PATH : mailer.SMTP_ADDR,
    port: mailer.SMTP_PORT || ports[protocol],
    user: mailer.USER,
    password: mailer.PASSWD,
    from: parseSender(mailer.FROM || mailer.USER),
    subjectPrefix: mailer.SUBJECT_PREFIX,
    helo: mailer.HELO_HOSTNAME || undefined,
    capacity: mailer.SEND_BUFFER_LEN,
  }
}

/** What an empty `PROTOCOL` stands for is guessed as Gitea does. */
function protocolOf({ PROTOCOL, SMTP_ADDR, SMTP_PORT }: MailConfig['mailer']): MailSettings['protocol'] {
  if (PROTOCOL !== '') return PROTOCOL
  if (SMTP_ADDR.startsWith('/')) return 'smtp+unix'
  if (SMTP_PORT === ports.smtp) return 'smtp'
  return SMTP_PORT === ports['smtp+starttls'] ? 'smtp+starttls' : 'smtps'
}

const sender = /^(?:"?([^"<>\x00-\x1f]*?)"?\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@"]+@[^\s<>@"]+))$/

/** `forge@example.org`, `Forge <forge@example.org>` or `"The Forge" <forge@example.org>`. */
function parseSender(text: string): MailSettings['from'] {
  const [, name = '', inBrackets, alone] = sender.exec(text.trim()) ?? []
  const address = inBrackets ?? alone
  if (address === undefined) throw wrong('FROM', text, 'expected an address such as "Forge <forge@example.org>"')
  return { name, address }
}

function requireProgram(path: string): void {
  if (!isAbsolute(path)) throw wrong('SENDMAIL_PATH', path, 'expected the absolute path of a program')
  if (!existsSync(path)) throw wrong('SENDMAIL_PATH', path, 'the file does not exist')
}

function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)
}

function wrong(key: string, value: string, reason: string): Error {
  return new Error(`Invalid setting mailer.${key} = ${JSON.stringify(value)}: ${reason}`)
}
