import type { UserRow } from './rows.ts'

/** What some accounts ask for besides the password. The room that keeps it puts itself here. */
export interface SecondFactors {
  isEnrolled(user: UserRow): boolean
  /** Enrolled with security keys alone: there is no code that a header or a form could carry. */
  hasSecurityKeysOnly(user: UserRow): boolean
  /** Whether a code is right; it is right once. */
  verifyCode(user: UserRow, code: string): boolean | Promise<boolean>
}

/** As long as nobody has one. */
export const noSecondFactors: SecondFactors = { isEnrolled: () => false, hasSecurityKeysOnly: () => false, verifyCode: () => false }
