/** Both ends belong to it; an absent end is open. */
export interface Range {
  from?: number | undefined
  to?: number | undefined
}

const comparison = /^(>=|<=|>|<)?(.+)$/
const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/

/** Reads `5`, `>5`, `>=5`, `<5`, `<=5`, `5..8`, `5..*` and `*..8`; undefined if the value is none of these. */
export function parseNumberRange(value: string): Range | undefined {
  return parseRange(value, (text) => (/^\d{1,9}$/.test(text) ? { from: Number(text), to: Number(text) } : undefined))
}

/** Reads the same of dates (`2026-01-31`, in UTC) and times (`2026-01-31T12:00:00Z`), as Unix seconds; a date is its whole day. */
export function parseDateRange(value: string): Range | undefined {
  return parseRange(value, parseDate)
}

function parseRange(value: string, parse: (text: string) => Required<Range> | undefined): Range | undefined {
  const [first = '', last, more] = value.split('..')
  if (last !== undefined) {
    const [from, to] = [parse(first), parse(last)]
    const isWhole = more === undefined && (from !== undefined || first === '*') && (to !== undefined || last === '*')
    return isWhole ? { from: from?.from, to: to?.to } : undefined
  }
  const [, operator, text = ''] = comparison.exec(value) ?? []
  const point = parse(text)
  if (point === undefined) return undefined
  const { from, to } = point
  if (operator === '>') return { from: to + 1 }
  if (operator === '>=') return { from }
  if (operator === '<') return { to: from - 1 }
  return operator === '<=' ? { to } : { from, to }
}

function parseDate(text: string): Required<Range> | undefined {
  const [, day = '', time, zone = 'Z'] = date.exec(text) ?? []
  const start = Date.parse(`${day}T00:00:00Z`)
  // `Date` takes the 31st of June for the 1st of July.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(day)) return undefined
  if (time === undefined) return { from: start / 1000, to: start / 1000 + 86_399 }
  const at = Date.parse(`${day}T${time}${zone}`) / 1000
  return Number.isNaN(at) ? undefined : { from: at, to: time.length === 5 ? at + 59 : at }
}
