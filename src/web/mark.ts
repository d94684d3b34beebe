/** The forge's own sign, in a square of 16: a pocket, and in it a branch that is merged. */
export const mark =
  '<path fill-rule="evenodd" d="M1.5 1h13q.5 0 .5.5V8a7 7 0 0 1-14 0V1.5q0-.5.5-.5ZM4 3.5a1.5 1.5 0 0 0-.75 2.8V9.2a1.5 1.5 0 1 0 1.5 0V8.7c.9.5 2 .7 3.3.8a1.5 1.5 0 1 0 0-1.5c-2-.2-3-.6-3.3-1.7A1.5 1.5 0 0 0 4 3.5Z"/>'
