import { parseYaml } from './parse-yaml.ts'
import { fieldTypes, type IssueFormField, type IssueTemplate } from './schema.ts'

type Table = Record<string, unknown>

/** `---`, YAML, `---`, and the text that an issue begins with. */
const frontMatter = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const LONGEST_ABOUT = 80

/**
 * A template: Markdown with YAML before it, or a form in YAML. Source: Gitea's `modules/issue/template`.
 * @throws Error saying what is wrong with it
 */
export function parseTemplate(fileName: string, text: string): IssueTemplate {
  const template = fileName.endsWith('.md') ? parseMarkdown(fileName, text) : parseForm(fileName, text)
  for (const name of ['name', 'about'] as const) if (template[name].trim() === '') throw new Error(`'${name}' is required`)
  return template
}

function parseMarkdown(fileName: string, text: string): IssueTemplate {
  const found = frontMatter.exec(text)
  const content = text.slice(found?.[0].length ?? 0)
  if (!found)
    return { ...metaOf({}), name: fileName.slice(fileName.lastIndexOf('/') + 1), about: text.slice(0, LONGEST_ABOUT), content, body: [], file_name: fileName }
  return { ...metaOf(tableOf(parseYaml(found[1] as string))), content, body: [], file_name: fileName }
}

function parseForm(fileName: string, text: string): IssueTemplate {
  const table = tableOf(parseYaml(text))
  if (!Array.isArray(table.body) || table.body.length === 0) throw new Error("'body' is required")
  const ids = new Set<string>()
  return { ...metaOf(table), content: '', body: table.body.map((field, at) => fieldOf(tableOf(field), at, ids)), file_name: fileName }
}

function metaOf(table: Table): Omit<IssueTemplate, 'content' | 'body' | 'file_name'> {
  return {
    name: textOf(table.name),
    title: textOf(table.title),
    about: textOf(table.about ?? table.description),
    labels: namesOf(table.labels),
    assignees: namesOf(table.assignees),
    ref: textOf(table.ref),
  }
}

/** @throws Error naming the field */
function fieldOf(field: Table, at: number, ids: Set<string>): IssueFormField {
  const [type, id] = [textOf(field.type), textOf(field.id)]
  const wrong = (what: string) => new Error(`body[${at}](${type}): ${what}`)
  if (!fieldTypes.some((one) => one === type)) throw wrong('unknown type')
  const attributes = tableOf(field.attributes ?? {})
  if (type === 'markdown' && textOf(attributes.value) === '') throw wrong("'value' is required")
  if (type !== 'markdown' && textOf(attributes.label) === '') throw wrong("'label' is required")
  if ((type === 'dropdown' || type === 'checkboxes') && (!Array.isArray(attributes.options) || attributes.options.length === 0))
    throw wrong("'options' is required")
  if (id !== '' && !/^[\w-]+$/.test(id)) throw wrong("'id' should contain only alphanumeric, '-' and '_'")
  if (id !== '' && ids.has(id)) throw wrong("'id' should be unique")
  ids.add(id)
  const usual = type === 'markdown' ? ['form'] : ['form', 'content']
  return { type, id, attributes, validations: tableOf(field.validations ?? {}), visible: Array.isArray(field.visible) ? field.visible.map(textOf) : usual }
}

/** A list, or names with commas between them. */
function namesOf(value: unknown): string[] {
  const names = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function tableOf(value: unknown): Table {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('expected a mapping of keys to values')
  return value as Table
}
