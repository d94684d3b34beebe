import { type ArrayOptions, FormatRegistry, type IntegerOptions, type TSchema, Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { Unprocessable } from './errors.ts'

/** A whole number, as JSON has it. Elysia's `t.Integer` would take texts too, and re-encode each answer that holds one (12 µs for a User). */
export const Int = (options?: IntegerOptions) => Type.Integer(options)

/** One of these texts. Elysia's `t.UnionEnum` alone would put the first of them where a body has none. */
export const oneOf: typeof t.UnionEnum = (values, options) => {
  const { default: _, ...schema } = t.UnionEnum(values, { error: `expected one of ${values.filter(Boolean).join(', ')}`, ...options })
  return schema as ReturnType<typeof t.UnionEnum<typeof values>>
}

/** One of these texts, or an empty one, which is what Go clients send for what was not set. */
export const oneOfOrEmpty = <const Values extends readonly string[]>(values: Values) => oneOf(['', ...values])

/** A list of words that have no commas in them: in a form it may be one text, with commas between. */
export const wordList = <Word extends TSchema>(word: Word, options?: ArrayOptions) => t.Array(word, { ...options, hasCommas: true })

const rfc3339 = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
FormatRegistry.Set('date-time', (text) => rfc3339.test(text))

/** RFC 3339 §5.6. Checked by one expression instead of Elysia's, which makes a Date of each and takes a date alone too. */
export const Time = t.String({ format: 'date-time' })

/** Unix seconds of a time in a body, which the schema has checked; undefined when it is absent or Go's zero time, which stands for none. */
export function secondsOf(time: string | undefined): number | undefined {
  if (time === undefined) return undefined
  const seconds = Math.floor(Date.parse(time) / 1000)
  return seconds <= ZERO_YEAR_END ? undefined : seconds
}

/** Where the year 1 ends, whatever the zone that Go's zero time was written in. */
const ZERO_YEAR_END = -62_135_000_000

/** The last second of the day that a time names, in the zone that it is written in. */
export function endOfDay(time: string): string {
  return `${time.slice(0, 11)}23:59:59${/(?:Z|[+-]\d{2}:\d{2})$/.exec(time)?.[0] ?? 'Z'}`
}

/** A query parameter that may come several times; the route reads it from the address. */
export const several = (description: string) => t.Optional(t.Union([t.String(), t.Array(t.String())], { description, documentedAs: 'array' }))

/** Unix seconds of a time in a query, where a plus sign may have become a space; undefined when it is absent or empty. @throws Unprocessable */
export function timeIn(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined
  const time = text.replace(' ', '+')
  if (!rfc3339.test(time)) throw new Unprocessable(`[${name}]: expected a time such as 2026-01-31T12:00:00Z`)
  return Math.floor(Date.parse(time) / 1000)
}
