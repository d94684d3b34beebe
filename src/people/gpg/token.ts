import type { UserRow } from '#access/index.ts'
import { sha256Hex } from '#kernel/ids.ts'

/**
 * What an account signs to show that a key is its own: no secret, but another one each minute. Good from the minute it is told
 * until the end of the next. Source: Gitea's `models/asymkey/gpg_key_verify.go`.
 * @param seconds since 1970
 */
export function verificationToken(owner: UserRow, seconds: number): string {
  const minute = Math.floor(seconds / 60)
  return sha256Hex([minute, owner.created_at, owner.name, owner.email, owner.id].join(':'))
}

/** All that may have been signed by now: `echo` adds a line break, on some systems of two characters. */
export function signableTexts(owner: UserRow, seconds: number): string[] {
  const tokens = [verificationToken(owner, seconds), verificationToken(owner, seconds - 60)]
  return tokens.flatMap((token) => [token, `${token}\n`, `${token}\r\n`])
}
