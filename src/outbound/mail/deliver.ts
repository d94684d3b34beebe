import type { SMTPTransportOptions, Transporter } from 'nodemailer'
import type { Log } from '#kernel/log.ts'
import type { MailSettings } from './connection.ts'
import { handOver } from './hand-over.ts'

export interface Message {
  from: MailSettings['from']
  to: { name: string; address: string }
  messageId: string
  date: Date
  subject: string
  text: string
  html: string
}

/** Hands a message to the mail server; resolves when that has taken it on. */
export type Deliver = (message: Message) => Promise<void>

/** No mail server may take longer. */
const DEADLINE = 30_000
/** RFC 3834: no out-of-office note comes back. */
const headers = { 'Auto-Submitted': 'auto-generated' }

/** @param stopped ends what is under way */
export function delivery(settings: MailSettings, log: Log, stopped: AbortSignal): Deliver {
  if (settings.protocol === 'dummy') {
    return async ({ to, subject, text }) => log.info('email logged instead of sent because mailer.PROTOCOL is dummy', { to: to.address, subject, text })
  }
  const deadline = () => AbortSignal.any([stopped, AbortSignal.timeout(DEADLINE)])
  if (settings.protocol === 'sendmail') {
    return (message) => handOver(settings.host, { ...message, headers, signal: deadline() }, message.from.address, message.to.address)
  }
  // Loading the library would cost every start a tenth of its time.
  let transport: Promise<Pick<Transporter, 'sendMail'>> | undefined
  return async (message) => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(smtpOptions(settings)))
    await (await transport).sendMail({ ...message, headers, signal: deadline() })
  }
}

/** Certificates are always checked; there is no setting that would trust any. */
function smtpOptions({ protocol, host, port, user, password, helo }: MailSettings): SMTPTransportOptions {
  return {
    host,
    port,
    secure: protocol === 'smtps',
    requireTLS: protocol === 'smtp+starttls',
    ignoreTLS: protocol === 'smtp' || protocol === 'smtp+unix',
    name: helo,
    auth: user === '' ? undefined : { user, pass: password },
    getSocket: protocol === 'smtp+unix' ? (_, ready) => connectTo(host, ready) : undefined,
    connectionTimeout: DEADLINE / 3,
    greetingTimeout: DEADLINE / 3,
    socketTimeout: DEADLINE,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function connectTo(path: string, ready: Parameters<NonNullable<SMTPTransportOptions['getSocket']>>[1]): void {
  const socket = process.getBuiltinModule('node:net').connect(path)
  socket.once('error', (error) => ready(error, false))
  socket.once('connect', () => {
    socket.removeAllListeners('error')
    ready(null, { connection: socket })
  })
}
