import { Unprocessable } from '#kernel/errors.ts'

export function checkAuthorities(member: string, pem: string): void {
  if (pem === '') return
  try {
    ;new (process.getBuiltinModule('node:crypto').X509Certificate)(pem)
  } catch (cause) {
    throw new Unprocessable(`[${member}]: must be a certificate in PEM format`, { cause })
  }
}

export function requireForm(member: string, text: string, form: RegExp, expected: string): void {
  if (!form.test(text)) throw wrong(member, `must be ${expected}`)
}

export function wrong(member: string, reason: string): Unprocessable {
  return new Unprocessable(`[${member}]: ${reason}`)
}
