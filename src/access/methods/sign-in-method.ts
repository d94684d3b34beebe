import type { Viewer } from '../viewer.ts'
import type { Authorization } from './credentials.ts'

export interface SignInOptions {
  /** The request does just what an account has to do before it may do anything else: change its password, add a second factor. */
  toBecomeReady?: boolean
  /** It does just what a visitor has to do to become a user. */
  toSignIn?: boolean
  /** A program sends it that cannot be asked for a code, git say. */
  withoutCodes?: boolean
  /** It is about whoever shows the credentials, whomever `Sudo` names. */
  asThemselves?: boolean
}

/** One way to tell who sends a request. */
export interface SignInMethod {
  /**
   * @param authorization of the request
   * @returns undefined when the request does not use this way: the next one is asked, and with none left it is a visitor's.
   * A promise only where there is something to wait for
   * @throws Unauthorized when it does, and is wrong: no other way is asked then
   */
  viewerOf(request: Request, options: SignInOptions, authorization: Authorization | undefined): Viewer | Promise<Viewer> | undefined
}
