/** Text as part of a filter's value. What is not ASCII stays: filters are UTF-8. Source: RFC 4515 §3. */
export function escapeFilter(text: string): string {
  return text.replace(/[\0()*\\]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** Whether a name can stand in a DN as it is. Source: RFC 4514 §2.4, and what filters escape. */
export function isPlainInDn(name: string): boolean {
  return !/[\0-\x1f,='"#+;<>()*\\]|^\s|\s$/.test(name)
}

/** The placeholder for the name in a template: `%s`, or `%[1]s` as Gitea writes it when the name occurs more than once. */
const placeholder = /%(?:\[1\])?s/g

export function hasPlaceholder(template: string): boolean {
  return template.search(placeholder) >= 0
}

/** Replaces the placeholder by a value that the caller has escaped. */
export function fillIn(template: string, value: string): string {
  return template.replace(placeholder, () => value)
}

/** A template's filter about somebody of this name. */
export function filterFor(template: string, name: string): string {
  return fillIn(template, escapeFilter(name))
}

/** A filter as part of another one. */
export function inBrackets(filter: string): string {
  return filter.startsWith('(') ? filter : `(${filter})`
}
