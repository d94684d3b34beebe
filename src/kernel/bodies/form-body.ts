import { Unprocessable } from '../errors.ts'
import { flagIn } from '../http.ts'

/** What of a body's schema a form needs: texts become what it wants. */
export interface FormSchema {
  type?: string
  anyOf?: readonly FormSchema[]
  items?: FormSchema
  /** A list that may come as one text with commas between; see `wordList`. */
  hasCommas?: boolean
  properties?: Readonly<Record<string, FormSchema>>
  /** Fields of which there are as many as the page has. */
  patternProperties?: Readonly<Record<string, FormSchema>>
}

/** Each costs an object; forms that people fill in have some dozens. */
const MAX_FIELDS = 2000

/** Whether a body of this content type is read as a form. */
export function isForm(contentType: string): boolean {
  return /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i.test(contentType)
}

/**
 * The fields of a form in the types that the schema wants: `true` and `on` are true, `5` is five, where anything is taken, too, a field given several times is
 * a list, `5,6` one of numbers, `config[url]` or `config.url` is the member `url` of `config`, `files[0][path]` that of the first of `files`. What
 * cannot be converted stays a text, which validation refuses by name. Names are taken in any case.
 */
export function asBody(fields: ReadonlyMap<string, readonly string[]>, schema: FormSchema | undefined): Record<string, unknown> {
  const known = new Map(Object.entries(schema?.properties ?? {}).map(([name, one]) => [name.toLowerCase(), [name, one] as const]))
  const patterns = Object.entries(schema?.patternProperties ?? {}).map(([pattern, one]) => [new RegExp(pattern), one] as const)
  const body: Record<string, unknown> = {}
  for (const [given, texts] of fields) {
    const matching = patterns.find(([pattern]) => pattern.test(given))
    const [name, one] = known.get(given.replace(/\[\]$/, '').toLowerCase()) ?? (matching ? [given, matching[1]] : [])
    if (name !== undefined) body[name] = coerce(texts, one)
  }
  for (const [given, members] of membersOf(fields)) {
    const [name, one] = known.get(given.toLowerCase()) ?? []
    const value = name === undefined || name in body ? undefined : nested(members, one)
    if (value !== undefined) body[name as string] = value
  }
  return body
}

const MEMBER = /^([^.[\]]+)(?:\.([^.[\]]+)|\[([^[\]]*)\])(.*)$/s

/** Fields that are members of another, below its name, by what is left of theirs. */
function membersOf(fields: ReadonlyMap<string, readonly string[]>): Map<string, Map<string, readonly string[]>> {
  const found = new Map<string, Map<string, readonly string[]>>()
  for (const [given, texts] of fields) {
    const [, outer, dotted, bracketed = '', rest = ''] = MEMBER.exec(given) ?? []
    if (outer !== undefined) found.set(outer, (found.get(outer) ?? new Map()).set((dotted ?? bracketed) + rest, texts))
  }
  return found
}

function nested(members: ReadonlyMap<string, readonly string[]>, schema: FormSchema | undefined): unknown {
  const types = typesOf(schema)
  const object = types.find(({ type }) => type === 'object')
  if (object) return asBody(members, object)
  const items = types.find(({ type }) => type === 'array')?.items
  const byNumber = [...membersOf(members)].sort(([a], [b]) => Number(a) - Number(b))
  return items && byNumber.length > 0 ? byNumber.map(([, one]) => nested(one, items)) : undefined
}

/**
 * The texts that a form holds, urlencoded or multipart, by the names of its fields. Files are ignored, as no schema has any.
 * @throws Unprocessable when it cannot be read, or has very many fields
 */
export async function fieldsOf(bytes: Uint8Array, contentType: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const [name, value] of await entriesOf(bytes, contentType)) {
    if (typeof value !== 'string') continue
    const texts = found.get(name)
    if (texts) texts.push(value.toWellFormed())
    else found.set(name, [value.toWellFormed()])
  }
  return found
}

async function entriesOf(bytes: Uint8Array, contentType: string): Promise<Iterable<[string, string | Blob]>> {
  if (/urlencoded/i.test(contentType)) {
    refuseMany(bytes, '&')
    return new URLSearchParams(new TextDecoder().decode(bytes))
  }
  // Written out again for the platform, so that no other boundary counts there than here.
  const [, quoted, bare = ''] = /;\s*boundary=(?:"([^"]+)"|([^";\s]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  refuseMany(bytes, `--${boundary}`)
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'Content-Type': `multipart/form-data; boundary="${boundary}"` } }).formData()
  } catch (cause) {
    throw new Unprocessable('Cannot parse the body as multipart/form-data', { cause })
  }
}

/** @param mark what each field has at least one of */
function refuseMany(bytes: Uint8Array, mark: string): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let count = 0
  for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + mark.length)) {
    if (++count > MAX_FIELDS) throw new Unprocessable(`Cannot read the form: it has more than ${MAX_FIELDS} fields`)
  }
}

function coerce(texts: readonly string[], schema: FormSchema | undefined): unknown {
  const types = typesOf(schema)
  const last = texts.at(-1) ?? ''
  const list = types.find(({ type }) => type === 'array')
  if (list) return texts.flatMap((text) => itemsIn(text, list)).map((text) => coerce([text], list.items))
  if (types.some(({ type }) => type === 'boolean')) return booleanOf(last)
  const mayBeNumber = types.some(({ type }) => type === undefined || type === 'integer' || type === 'number')
  if (mayBeNumber) return /^-?\d{1,15}(\.\d{1,15})?$/.test(last) ? Number(last) : last
  return last
}

/** Numbers have no commas, and words that the schema says have none. Of all else, as of names of branches, a comma is a part. */
function itemsIn(text: string, { hasCommas, items }: FormSchema): string[] {
  if (text === '') return []
  const mayBeNumbers = typesOf(items).some(({ type }) => type !== 'string') && /^[\s\d,-]+$/.test(text)
  return hasCommas || mayBeNumbers ? text.split(',').map((item) => item.trim()) : [text]
}

function typesOf(schema: FormSchema | undefined): readonly FormSchema[] {
  return schema === undefined ? [] : schema.anyOf ? schema.anyOf.flatMap(typesOf) : [schema]
}

function booleanOf(text: string): boolean | string {
  if (flagIn(text) === true) return true
  return ['', '0', 'f', 'false', 'off'].includes(text.toLowerCase()) ? false : text
}
