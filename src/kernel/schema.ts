import { FormatRegistry, type IntegerOptions, Type } from '@sinclair/typebox'
import { t } from 'elysia'

/** A whole number, as JSON has it. Elysia's `t.Integer` would take texts too, and re-encode each answer that holds one (12 µs for a User). */
export const Int = (options?: IntegerOptions) => Type.Integer(options)

/** One of these texts. Elysia's `t.UnionEnum` alone would put the first of them where a body has none. */
export const oneOf: typeof t.UnionEnum = (values, options) => {
  const { default: _, ...schema } = t.UnionEnum(values, { error: `one of ${values.filter(Boolean).join(', ')} is expected`, ...options })
  return schema as ReturnType<typeof t.UnionEnum<typeof values>>
}

/** One of these texts, or an empty one, which is what Go clients send for what was not set. */
export const oneOfOrEmpty = <const Values extends readonly string[]>(values: Values) => oneOf(['', ...values])

const rfc3339 = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
FormatRegistry.Set('date-time', (text) => rfc3339.test(text))

/** RFC 3339 §5.6. Checked by one expression instead of Elysia's, which makes a Date of each and takes a date alone too. */
export const Time = t.String({ format: 'date-time' })
