import { messageOf } from '#kernel/errors.ts'
import { SecretLost } from '#kernel/secret-box.ts'
import type { MailSettings } from './connection.ts'

/** Why a mail did not go out. */
export interface Failure {
  /** `final`: this mail never will; `mail`: this one may later; `server`: no mail does at present. */
  reach: 'final' | 'mail' | 'server'
  /** For the log: without the password, in whatever form it was sent. */
  reason: string
}

/** RFC 5321 §4.2.1: 5yz is final, 4yz is not. What concerns neither recipient nor message, the sender say, concerns all mails. */
export function judgeFailure(error: unknown, settings: MailSettings): Failure {
  if (error instanceof SecretLost) return { reach: 'final', reason: messageOf(error) }
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  const isAboutMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM'
  const isFinal = isAboutMail && responseCode !== undefined && responseCode >= 500
  return { reach: isFinal ? 'final' : isAboutMail ? 'mail' : 'server', reason: withoutSecrets(messageOf(error), settings) }
}

function withoutSecrets(text: string, { user, password }: MailSettings): string {
  if (password === '') return text
  const forms = [`\0${user}\0${password}`, password].map((form) => Buffer.from(form).toString('base64'))
  return [...forms, password].reduce((rest, form) => rest.replaceAll(form, '***'), text)
}
