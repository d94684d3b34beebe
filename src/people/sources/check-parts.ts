import { Unprocessable } from '#kernel/errors.ts'

export function checkAuthorities(member: string, pem: string): void {
  if (pem === '') return
  try {
    ;new (process.getBuiltinModule('node:crypto').X509Certificate)(pem)
  } catch (cause) {
    throw new Unprocessable(`[${member}]: a certificate in PEM is expected`, { cause })
  }
}

export function requireForm(member: string, text: string, form: RegExp, expected: string): void {
  if (!form.test(text)) throw wrong(member, `${expected} is expected`)
}

export function wrong(member: string, reason: string): Unprocessable {
  return new Unprocessable(`[${member}]: ${reason}`)
}
