import { gitProblem, type Member } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import { Problem } from '#kernel/errors.ts'
import { inWords } from './in-words.ts'

/**
 * What went wrong with a form, when whoever filled it in can mend it: it is shown again then, with what was typed. Anything else is thrown on.
 * @param passed a status of which there is a page that says more than the form could
 */
export function mendable(error: unknown, passed?: number): Problem {
  const problem = error instanceof GitError ? gitProblem(error) : error
  if (!(problem instanceof Problem) || problem.status >= 500 || problem.status === passed) throw error
  return problem
}

/** Does what a form asks for; `again` shows it anew with why it was not done, where the person can mend that. */
export async function attempt(work: () => Response | Promise<Response>, again: (problem: Problem) => Response | Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    return again(mendable(error))
  }
}

/** Of a form that does the same to several things: what keeps it from one of them, in words, or nothing once it is done. */
export function troubleWith(name: string, work: () => void): string[] {
  try {
    work()
    return []
  } catch (error) {
    return [`${name}: ${mendable(error).message}`]
  }
}

/** Whether a form that `requireRecent` guards asks for the password. */
export function isPasswordAsked({ authenticator }: Pick<Context, 'authenticator'>, viewer: Member): boolean {
  return !authenticator.sessions.isRecent(viewer)
}

/** Why a form was not taken. */
export function Trouble({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="error" role="alert">
      {inWords(text)}
    </p>
  )
}

/** The button that sends a form. */
export function SubmitButton({ children, isDanger = false }: { children: string; isDanger?: boolean }) {
  return (
    <div>
      <button class={isDanger ? 'danger' : 'primary'} type="submit">
        {children}
      </button>
    </div>
  )
}

/** For what asks for the password again. @param name of the field; `own_password` where somebody else's is filled in beside it */
export function PasswordField({ isAsked, name = 'password' }: { isAsked: boolean; name?: 'password' | 'own_password' }) {
  return isAsked ? (
    <label>
      Your password
      <input name={name} type="password" autocomplete="current-password" required />
    </label>
  ) : null
}
