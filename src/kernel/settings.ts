import { LONGEST_SECONDS, parseSchedule } from './schedule.ts'

/** One setting: what it is for, what it is when nobody says, and how a text or TOML value becomes one. */
export interface Setting<T> {
  readonly doc: string
  readonly fallback: T
  /** @throws Error saying what would have been right */
  readonly read: (value: unknown) => T
  /** Whether its value is kept out of messages. */
  readonly isSecret?: true
}

export function setting<T>(fallback: T, doc: string, read: (value: unknown) => T): Setting<T> {
  return { doc, fallback, read }
}

export function text(fallback: string, doc: string): Setting<string> {
  return setting(fallback, doc, (value) => {
    if (typeof value !== 'string') throw new Error('expected a string')
    return value
  })
}

export function flag(fallback: boolean, doc: string): Setting<boolean> {
  return setting(fallback, doc, (value) => {
    if (value === true || value === 'true' || value === '1') return true
    if (value === false || value === 'false' || value === '0') return false
    throw new Error('expected true or false')
  })
}

export function whole(fallback: number, doc: string, least = 0, most = Number.MAX_SAFE_INTEGER): Setting<number> {
  return setting(fallback, doc, (value) => {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < least || number > most) {
      throw new Error(`expected a whole number from ${least} to ${most}`)
    }
    return number
  })
}

/** Seconds that something waits or is waited for. */
export function seconds(fallback: number, doc: string, least = 0, most = LONGEST_SECONDS): Setting<number> {
  return whole(fallback, doc, least, most)
}

/** When something repeats, as `parseSchedule` reads it. */
export function schedule(fallback: string, doc: string): Setting<string> {
  const { read } = text(fallback, doc)
  return setting(fallback, doc, (value) => {
    parseSchedule(read(value))
    return read(value)
  })
}

export function oneOf<const T extends string>(options: readonly T[], fallback: NoInfer<T>, doc: string): Setting<T> {
  return setting<T>(fallback, `${doc} One of ${options.filter(Boolean).join(', ')}${options.some((option) => option === '') ? ', or empty' : ''}.`, (value) => {
    const found = options.find((option) => option === value)
    if (found === undefined) throw new Error(`expected one of ${options.join(', ')}`)
    return found
  })
}

export function list(fallback: readonly string[], doc: string): Setting<readonly string[]> {
  return setting(fallback, doc, (value) => {
    const items = typeof value === 'string' ? value.split(',') : value
    if (!Array.isArray(items) || !items.every((item) => typeof item === 'string')) throw new Error('expected a list of strings')
    return items.map((item) => item.trim()).filter((item) => item !== '')
  })
}

/** Any of `options`. */
export function someOf<const T extends string>(options: readonly T[], doc: string, fallback: readonly NoInfer<T>[] = []): Setting<readonly T[]> {
  const { read } = list([], doc)
  return setting<readonly T[]>(fallback, `${doc} Any of ${options.join(', ')}.`, (value) =>
    read(value).map((item) => {
      const found = options.find((option) => option === item)
      if (found === undefined) throw new Error(`expected a list of ${options.join(', ')}`)
      return found
    }),
  )
}

/** Shown nowhere, not even when it cannot be used. */
export function secret(doc: string): Setting<string> {
  return { ...text('', doc), isSecret: true }
}

/** Settings by section and name, as they stand in the settings file. */
export type SettingList = Record<string, Record<string, Setting<unknown>>>

/** What a list of settings comes to: the value of each, by section and name. */
export type ValuesOf<S extends SettingList> = { [Section in keyof S]: { [Key in keyof S[Section]]: S[Section][Key] extends Setting<infer T> ? T : never } }
