/**
 * JSON Schema as TypeBox writes it → schema objects of OpenAPI 2.0 (https://swagger.io/specification/v2/#schema-object),
 * which has no unions, no `const` and no null. A schema with an `$id` is described once, under that name.
 */

export type JsonSchema = Readonly<Record<string, unknown>>
export type SwaggerSchema = Record<string, unknown>

/** What both languages call the same. */
const shared = [
  'description',
  'default',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'enum',
  'readOnly',
] as const

/** Formats by which Elysia marks texts that stand for something else, in unions with that. */
const coercions: ReadonlySet<unknown> = new Set(['numeric', 'integer', 'boolean', 'ObjectString', 'ArrayString', 'Date'])

export class Definitions {
  readonly #named = new Map<string, SwaggerSchema>()

  /** All named schemas met so far, by name. */
  all(): Record<string, SwaggerSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The schema object for `schema`: a reference when it has a name. */
  describe(schema: JsonSchema): SwaggerSchema {
    const name = schema.$id ?? schema.$ref
    if (typeof name !== 'string') return this.#inline(schema)
    if (!this.#named.has(name) && schema.$ref === undefined) {
      this.#named.set(name, {})
      this.#named.set(name, this.#inline(schema))
    }
    return { $ref: `#/definitions/${name}` }
  }

  #inline(schema: JsonSchema): SwaggerSchema {
    if (typeof schema.documentedAs === 'string') return { ...meant(schema.documentedAs), ...pick(schema) }
    const union = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (union) return this.#union(schema, union)
    if (schema.type === 'null') return { ...pick(schema), 'x-nullable': true }
    if ('const' in schema) return { ...pick(schema), type: typeof schema.const, enum: [schema.const] }
    const type = schema.type ?? (Array.isArray(schema.enum) ? typeof schema.enum[0] : undefined)
    const result: SwaggerSchema = { ...(type === undefined ? {} : { type }), ...pick(schema), ...formatOf(type, schema) }
    if (type === 'object') Object.assign(result, this.#members(schema))
    if (type === 'array') result.items = this.describe((schema.items ?? {}) as JsonSchema)
    return result
  }

  #members(schema: JsonSchema): SwaggerSchema {
    const members: SwaggerSchema = {}
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    if (properties.length > 0) members.properties = Object.fromEntries(properties.map(([name, one]) => [name, this.describe(one)]))
    if (Array.isArray(schema.required) && schema.required.length > 0) members.required = schema.required
    const rest = schema.additionalProperties ?? Object.values((schema.patternProperties ?? {}) as Record<string, unknown>)[0]
    if (typeof rest === 'object' && rest !== null) members.additionalProperties = this.describe(rest as JsonSchema)
    return members
  }

  /** A value or null; one of some words; else whatever its first member is, the rest being told in words only. */
  #union(schema: JsonSchema, union: readonly JsonSchema[]): SwaggerSchema {
    const members = union.filter((member) => member.type !== 'null' && !coercions.has(member.format))
    const nullable = union.some((member) => member.type === 'null') ? { 'x-nullable': true } : {}
    const words = members.map((member) => member.const)
    if (words.length > 0 && words.every((word) => word !== undefined)) return { ...pick(schema), ...nullable, type: typeof words[0], enum: words }
    const [member, ...others] = members
    if (member === undefined) return { ...pick(schema), ...nullable }
    // Properties without a type describe an object, and still allow a list.
    if (others.length > 0) return { ...pick(schema), ...nullable, ...(schema.$id ? this.#members(member) : {}) }
    const only = this.describe(member)
    // What stands beside a reference is read by those who know of null, and passed over by the rest.
    return '$ref' in only ? { ...only, ...nullable } : { ...only, ...pick(schema), ...nullable }
  }
}

/** What texts in a query stand for, by the word that schemas have for it (`documentedAs`). */
function meant(word: string): SwaggerSchema {
  if (word === 'date-time') return { type: 'string', format: word }
  return word === 'array' ? { type: word, items: { type: 'string' } } : { type: word, ...formatOf(word, {}) }
}

function pick(schema: JsonSchema): SwaggerSchema {
  return Object.fromEntries(shared.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])))
}

/** Whole numbers are Go's int64 in Gitea's document, which is what generated clients go by. */
function formatOf(type: unknown, schema: JsonSchema): SwaggerSchema {
  if (typeof schema.format === 'string') return { format: schema.format }
  return type === 'integer' ? { format: 'int64' } : {}
}
