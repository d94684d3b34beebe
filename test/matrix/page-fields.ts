import { attributeOf, type Element, elementsIn, readPage, textIn } from './page-judge.ts'

/** A form as it stands on a page. */
export interface PageForm {
  page: string
  action: string
  method: 'get' | 'post'
  fields: Record<string, string[]>
  /** Names of the fields that people write into. */
  written: string[]
  /** Names of the fields that may not be empty. */
  required: string[]
}

const notWritten = new Set(['hidden', 'password', 'file', 'submit', 'checkbox', 'radio', 'search', 'number', 'date'])

/** The forms of a page, with what their fields hold as it came. */
export function formsOf(page: string, html: string): PageForm[] {
  return readPage(html).elements.flatMap((form) => {
    if (form.tagName !== 'form') return []
    const parts = elementsIn(form)
    const written = parts.filter(
      (one) =>
        ['input', 'textarea'].includes(one.tagName) &&
        !notWritten.has(attributeOf(one, 'type') ?? '') &&
        attributeOf(one, 'autocomplete') !== 'one-time-code' &&
        attributeOf(one, 'readonly') === undefined,
    )
    const fields: Record<string, string[]> = {}
    for (const one of parts) {
      const name = attributeOf(one, 'name')
      const value = filledIn(one)
      if (name !== undefined && value !== undefined) fields[name] = [...(fields[name] ?? []), value]
    }
    const method = attributeOf(form, 'method') === 'post' ? 'post' : 'get'
    const namesOf = (some: readonly Element[]) => some.flatMap((one) => attributeOf(one, 'name') ?? [])
    const required = namesOf(parts.filter((one) => attributeOf(one, 'required') !== undefined))
    return [{ page, action: attributeOf(form, 'action') ?? page, method, fields, written: namesOf(written), required }]
  })
}

function filledIn(one: Element): string | undefined {
  if (one.tagName === 'textarea') return textIn(one)
  if (one.tagName === 'select') {
    const options = elementsIn(one).filter(({ tagName }) => tagName === 'option')
    const chosen = options.find((option) => attributeOf(option, 'selected') !== undefined) ?? options[0]
    return chosen && (attributeOf(chosen, 'value') ?? '')
  }
  if (one.tagName !== 'input' || ['file', 'submit'].includes(attributeOf(one, 'type') ?? '')) return undefined
  const isBox = ['checkbox', 'radio'].includes(attributeOf(one, 'type') ?? '')
  return isBox && attributeOf(one, 'checked') === undefined ? undefined : (attributeOf(one, 'value') ?? (isBox ? 'on' : ''))
}
