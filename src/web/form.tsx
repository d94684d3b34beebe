import { gitProblem } from '#access/index.ts'
import { GitError } from '#git/errors.ts'
import { Problem } from '#kernel/errors.ts'

/**
 * What went wrong with a form, when whoever filled it in can mend it: it is shown again then, with what was typed. Anything else is thrown on.
 * @param passed a status of which there is a page that says more than the form could
 */
export function mendable(error: unknown, passed?: number): Problem {
  const problem = error instanceof GitError ? gitProblem(error) : error
  if (!(problem instanceof Problem) || problem.status >= 500 || problem.status === passed) throw error
  return problem
}

/** Why a form was not taken. */
export function Trouble({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="error" role="alert">
      {text}
    </p>
  )
}

/** The button that sends a form. */
export function SubmitButton({ children }: { children: string }) {
  return (
    <div>
      <button class="primary" type="submit">
        {children}
      </button>
    </div>
  )
}

/** For what asks for the password again. */
export function PasswordField({ isAsked }: { isAsked: boolean }) {
  return isAsked ? (
    <label>
      Your password
      <input name="password" type="password" autocomplete="current-password" required />
    </label>
  ) : null
}
