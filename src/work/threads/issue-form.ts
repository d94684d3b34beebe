import type { IssueFormField, IssueTemplate } from '#work/issue-templates/index.ts'

/** The name that a field of a template has in the form, as in Gitea. Fields without an id are told apart by where they stand. */
export function fieldName({ id }: IssueFormField, at: number): string {
  return `form-field-${id === '' ? at : id}`
}

/** What a template gives a field, as a text; lists one a line. */
export function attributeOf({ attributes }: IssueFormField, name: string): string {
  const value: unknown = attributes[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export function isOn({ attributes }: IssueFormField, name: string): boolean {
  return attributes[name] === true
}

export function isRequired({ validations }: IssueFormField): boolean {
  return validations.required === true
}

/** The choices of a dropdown, or the boxes of a field with several. */
export function optionsOf({ attributes }: IssueFormField): { label: string; isRequired: boolean }[] {
  const options: unknown[] = Array.isArray(attributes.options) ? attributes.options : []
  return options.map((option) => {
    if (typeof option !== 'object' || option === null) return { label: String(option), isRequired: false }
    const { label, required } = option as { label?: unknown; required?: unknown }
    return { label: String(label ?? ''), isRequired: required === true }
  })
}

/** What a template asks for and a form does not say, in the template's words. */
export function unanswered(template: IssueTemplate, valuesOf: (name: string) => readonly string[]): string[] {
  return template.body.flatMap((field, at) => (field.visible.includes('form') ? missingIn(field, valuesOf(fieldName(field, at))) : []))
}

function missingIn(field: IssueFormField, values: readonly string[]): string[] {
  if (field.type === 'checkboxes') return optionsOf(field).flatMap(({ label, isRequired }, i) => (isRequired && !values.includes(String(i)) ? label : []))
  return isRequired(field) && saidIn(field, values).trim() === '' ? [attributeOf(field, 'label')] : []
}

/** The text of an issue that a form was filled in for: a heading for each field, and what was said. Source: Gitea's `modules/issue/template`. */
export function composeBody(template: IssueTemplate, valuesOf: (name: string) => readonly string[]): string {
  const parts = template.body.flatMap((field, at) => (field.visible.includes('content') ? sectionOf(field, valuesOf(fieldName(field, at))) : []))
  return parts.join('\n')
}

function sectionOf(field: IssueFormField, values: readonly string[]): string[] {
  if (field.type === 'markdown') return [`${attributeOf(field, 'value')}\n`]
  const heading = isOn(field, 'hide_label') ? [] : [`### ${attributeOf(field, 'label')}\n`]
  return [...heading, `${saidIn(field, values) || '_No response_'}\n`]
}

function saidIn(field: IssueFormField, values: readonly string[]): string {
  const text = values.at(-1)?.replaceAll('\r\n', '\n') ?? ''
  if (field.type === 'checkboxes')
    return optionsOf(field)
      .map(({ label }, i) => `- [${values.includes(String(i)) ? 'x' : ' '}] ${label}`)
      .join('\n')
  if (field.type === 'dropdown') return values.flatMap((value) => (value === '' ? [] : (optionsOf(field)[Number(value)]?.label ?? []))).join(', ')
  const language = attributeOf(field, 'render')
  return field.type === 'textarea' && language !== '' && text !== '' ? fenced(text, language) : text
}

/** The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language.replace(/[`\s]/g, '')}\n${text}\n${fence}`
}
