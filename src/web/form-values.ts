import { unescapeHtml } from './unescape-html.ts'

/** The values of a form under one name. */
export interface FieldValues {
  /** The values that a browser submits if nothing is changed. */
  values: string[]
  /** Whether the values are checkboxes or options that are selected independently. */
  isBoxes: boolean
}

/** Types of inputs that cannot be edited or compared. */
const passedOver = new Set(['hidden', 'password', 'file', 'submit', 'button', 'image', 'reset'])

/** Reads the editable fields of a form in a page. @param form the index of the form in the page, from 0 */
export function readForm(page: string, form: number): Map<string, FieldValues> {
  return new FormReader(form).read(page)
}

/** Normalizes a value for comparison: browsers submit line ends as CR LF. */
export function comparable(value: string): string {
  return value.replaceAll('\r\n', '\n')
}

class FormReader {
  readonly #form: number
  readonly #found = new Map<string, FieldValues>()
  #count = -1
  #area: { name: string; text: string } | undefined
  #select: { name: string; isMultiple: boolean; first: string | undefined; isChosen: boolean } | undefined

  constructor(form: number) {
    this.#form = form
  }

  read(page: string): Map<string, FieldValues> {
    new HTMLRewriter()
      .on('form', { element: () => void this.#count++ })
      .on('form input', { element: (input) => this.#readInput(input) })
      .on('form textarea', { element: (area) => this.#enterArea(area), text: ({ text }) => this.#readText(text) })
      .on('form select', { element: (select) => this.#enterSelect(select) })
      .on('form select option', { element: (option) => this.#readOption(option) })
      .transform(page)
    return this.#found
  }

  #readInput(input: HTMLRewriterTypes.Element): void {
    const [name, type] = [this.#nameOf(input), input.getAttribute('type') ?? 'text']
    if (name === undefined || passedOver.has(type)) return
    const isBox = type === 'checkbox' || type === 'radio'
    const value = unescapeHtml(input.getAttribute('value') ?? (isBox ? 'on' : ''))
    this.#add(name, !isBox || input.hasAttribute('checked') ? value : undefined, type === 'checkbox')
  }

  #enterArea(area: HTMLRewriterTypes.Element): void {
    const name = this.#nameOf(area)
    if (name === undefined) return
    const read = { name, text: '' }
    this.#area = read
    area.onEndTag(() => {
      this.#area = undefined
      // Browsers leave out the first line break.
      this.#add(name, comparable(unescapeHtml(read.text)).replace(/^\n/, ''), false)
    })
  }

  #readText(text: string): void {
    if (this.#area) this.#area.text += text
  }

  #enterSelect(select: HTMLRewriterTypes.Element): void {
    const name = this.#nameOf(select)
    if (name === undefined) return
    const read = { name, isMultiple: select.hasAttribute('multiple'), first: undefined, isChosen: false }
    this.#select = read
    this.#add(name, undefined, read.isMultiple)
    select.onEndTag(() => {
      this.#select = undefined
      if (!read.isMultiple && !read.isChosen) this.#add(name, read.first, false)
    })
  }

  #readOption(option: HTMLRewriterTypes.Element): void {
    if (!this.#select) return
    const value = unescapeHtml(option.getAttribute('value') ?? '')
    this.#select.first ??= value
    if (!option.hasAttribute('selected')) return
    this.#select.isChosen = true
    this.#add(this.#select.name, value, this.#select.isMultiple)
  }

  /** Returns undefined for fields of other forms and for fields that browsers do not submit. */
  #nameOf(field: HTMLRewriterTypes.Element): string | undefined {
    const isOurs = this.#count === this.#form && !field.hasAttribute('disabled') && !field.hasAttribute('readonly')
    return isOurs ? (field.getAttribute('name') ?? undefined) : undefined
  }

  #add(name: string, value: string | undefined, isBoxes: boolean): void {
    const known = this.#found.getOrInsertComputed(name, () => ({ values: [], isBoxes }))
    if (value !== undefined) known.values.push(value)
  }
}
