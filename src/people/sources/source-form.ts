import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { t } from 'elysia'
import { Int, oneOf } from '#kernel/schema.ts'
import { defaults, LdapConfig, PamConfig, SmtpConfig, type SourceKind, secretMembers } from './config.ts'
import { Oauth2Config } from './oauth2-config.ts'
import type { AuthSource } from './schema.ts'

export const sourceKinds = ['ldap', 'smtp', 'pam', 'oauth2'] as const satisfies readonly SourceKind[]

const configs: Record<SourceKind, TObject> = { ldap: LdapConfig, smtp: SmtpConfig, pam: PamConfig, oauth2: Oauth2Config }

const facts = ['is_active', 'is_sync_enabled', 'skip_local_2fa'] as const

/** What is filled in for a source of whatever kind; boxes that are not ticked are absent, and what is no field of its kind is not looked at. */
export const SourceForm = t.Object({
  type: oneOf(sourceKinds),
  name: t.String(),
  ...Object.fromEntries(facts.map((name) => [name, t.Optional(t.Boolean())])),
  ...Object.fromEntries(sourceKinds.flatMap((kind) => Object.entries(configs[kind].properties).map(([name, one]) => [name, looseField(one)]))),
  password: t.Optional(t.String()),
})
export type SourceForm = Static<typeof SourceForm> & { type: SourceKind; name: string; password?: string } & Record<string, unknown>

function looseField(schema: TSchema): TSchema {
  if (schema[Kind] === 'Boolean') return t.Optional(t.Boolean())
  return t.Optional(schema[Kind] === 'Integer' ? Int() : t.String())
}

/** A field of a kind's own settings. */
export interface SourceField {
  name: string
  description: string
  kind: 'text' | 'long' | 'number' | 'flag' | 'choice' | 'secret'
  options: readonly string[]
  most: number | undefined
}

/** In the order in which they are filled in. */
export function fieldsOf(kind: SourceKind): SourceField[] {
  const secrets: readonly string[] = secretMembers[kind]
  return Object.entries(configs[kind].properties).map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    kind: secrets.includes(name) ? 'secret' : kindOf(schema),
    options: (schema.enum ?? []) as readonly string[],
    most: schema.maxLength as number | undefined,
  }))
}

/** Longer texts have several lines. */
const LONG = 65_536

function kindOf(schema: TSchema): SourceField['kind'] {
  if (schema[Kind] === 'Boolean') return 'flag'
  if (schema[Kind] === 'Integer') return 'number'
  if (schema.enum) return 'choice'
  return schema.maxLength === LONG ? 'long' : 'text'
}

/** A form of this kind that nothing has been filled into. */
export function emptySource(kind: SourceKind): SourceForm {
  return { ...defaults[kind], type: kind, name: '', is_active: true }
}

/** A source as its form shows it; the secrets are not shown. */
export function formOfSource(source: Static<typeof AuthSource>): SourceForm {
  const { type, name } = source
  return { ...defaults[type], ...source[type], type, name, ...Object.fromEntries(facts.map((fact) => [fact, source[fact]])) }
}

/** What a form asks for, as the API takes it: boxes that are not ticked are off. @param isNew a secret that is left empty is none; else it stays */
export function optionsInSource(form: SourceForm, kind: SourceKind, isNew: boolean): Record<string, unknown> {
  const settings = fieldsOf(kind).flatMap(({ name, kind: field }) => {
    const value = form[name]
    if (field === 'flag') return [[name, value === true]]
    if (value === undefined || (field === 'secret' && value === '' && !isNew)) return []
    return [[name, typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value]]
  })
  return {
    ...(isNew ? { type: kind } : {}),
    name: form.name,
    ...Object.fromEntries(facts.map((fact) => [fact, form[fact] === true])),
    [kind]: Object.fromEntries(settings),
  }
}
