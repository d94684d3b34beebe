import { totalOf } from '../http.ts'
import { totalHeaders } from '../page.ts'
import type { RouteDeclaration } from '../slice.ts'

/** What of Elysia's hooks concerns answers. */
interface Hooks {
  /** What Elysia compares answers with. */
  response?: Answers
  /** What nobody does. */
  trusted?: Answers
  /** What runs before a handler. */
  transform?: { fn: (context: { set: { status?: number | string } }) => void }[]
  /** Functions that run after the handler. */
  afterHandle?: { fn: (context: Handled) => unknown }[]
}

/** The value that a handler returned, and the response headers. */
interface Handled {
  responseValue: unknown
  set: { headers: Record<string, string | number> }
}

/** Schemas by status. */
type Answers = Readonly<Record<string, unknown>>

const hooksOf = ({ hooks }: RouteDeclaration) => hooks as Hooks

/** What a route declares that it answers. */
export function answersOf(route: RouteDeclaration): Answers {
  const { response, trusted } = hooksOf(route)
  return response ?? trusted ?? {}
}

/**
 * Has the answers of a route sent as they are, in whatever it is made a part of. They are made field by field, and the tests refuse what
 * their schema does not declare: to compare them again takes as long as to make them, and the first would wait until their schemas are
 * compiled.
 */
export function trustAnswers(route: RouteDeclaration): void {
  const hooks = hooksOf(route)
  if (hooks.response === undefined) return
  hooks.trusted = hooks.response
  delete hooks.response
}

/**
 * Lets a route answer with the success that it declares, where it declares one: handlers need not repeat it. Those of routes with
 * several say which; 200 is what Elysia answers anyway.
 */
export function answerAsDeclared(route: RouteDeclaration): void {
  const hooks = hooksOf(route)
  const successes = Object.keys(answersOf(route)).filter((status) => /^2\d\d$/.test(status))
  if (successes.length !== 1 || successes[0] === '200') return
  const status = Number(successes[0])
  // An arrow function that takes the context apart: Elysia reads its source to know what it uses.
  const fn = ({ set }: { set: { status?: number | string } }) => {
    set.status = status
  }
  hooks.transform = [...(hooks.transform ?? []), { fn }]
}

/**
 * Has a route that returns a list send `X-Total-Count`. A handler that returns a part of a list sets the header; for every other list it
 * is the number of items.
 */
export function countList(route: RouteDeclaration): void {
  if (route.method !== 'GET' || !isList(answersOf(route)[200])) return
  // An arrow function that takes the context apart: Elysia reads its source to know what it uses.
  const fn = ({ responseValue, set }: Handled) =>
    responseValue instanceof Promise ? responseValue.then((returned) => count(returned, set)) : count(responseValue, set)
  const hooks = hooksOf(route)
  hooks.afterHandle = [...(hooks.afterHandle ?? []), { fn }]
}

function isList(schema: unknown): boolean {
  const { type, anyOf = [] } = (schema ?? {}) as { type?: string; anyOf?: readonly { type?: string }[] }
  return [type, ...anyOf.map((one) => one.type)].includes('array')
}

function count(returned: unknown, { headers }: Handled['set']): unknown {
  const total = totalOf(returned)
  if (total !== undefined && headers['X-Total-Count'] === undefined) Object.assign(headers, totalHeaders(total))
  return returned
}
