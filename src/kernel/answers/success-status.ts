import type { RouteDeclaration } from '../slice.ts'

/** What of Elysia's hooks runs before a handler. */
interface Hooks {
  response?: Readonly<Record<string, unknown>>
  transform?: { fn: (context: { set: { status?: number | string } }) => void }[]
}

/**
 * Lets a route answer with the success that its `response` declares, where it declares one: handlers need not repeat it. Those
 * of routes with several say which; 200 is what Elysia answers anyway.
 */
export function answerAsDeclared(route: RouteDeclaration): void {
  const hooks = route.hooks as Hooks
  const successes = Object.keys(hooks.response ?? {}).filter((status) => /^2\d\d$/.test(status))
  if (successes.length !== 1 || successes[0] === '200') return
  const status = Number(successes[0])
  // An arrow function that takes the context apart: Elysia reads its source to know what it uses.
  const fn = ({ set }: { set: { status?: number | string } }) => {
    set.status = status
  }
  hooks.transform = [...(hooks.transform ?? []), { fn }]
}
