import { Kind, type Static, type TObject, type TProperties, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { t } from 'elysia'
import { Unprocessable } from '#kernel/errors.ts'

/**
 * A body of the API's as a form takes it: the same fields of the same types, whatever is in them. What `checkForm` refuses then can be
 * shown again, where a body that a route refuses is lost.
 */
export function looseForm<T extends TProperties>(schema: TObject<T>): TObject<T> {
  return t.Object(Object.fromEntries(Object.entries(schema.properties).map(([name, one]) => [name, loosen(one)]))) as unknown as TObject<T>
}

/** What was filled in, as the API takes it. @throws Unprocessable on the first field that it would refuse */
export function checkForm<T extends TSchema>(schema: T, form: unknown): Static<T> {
  const first = Value.Errors(schema, form).First()
  if (!first) return form as Static<T>
  const field = first.path.split('/').filter(Boolean).join('.')
  throw new Unprocessable(`[${field}]: ${first.schema.error ?? first.message}`)
}

const constraints = ['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'error']

function loosen(schema: TSchema): TSchema {
  if (schema[Kind] !== 'String' && schema[Kind] !== 'Array') return schema
  const kept: TSchema = { ...schema, ...(schema.items ? { items: loosen(schema.items as TSchema) } : {}) }
  for (const name of constraints) delete kept[name]
  return kept
}
