import { parseYaml } from './parse-yaml.ts'
import type { IssueConfig } from './schema.ts'

/** What `config.yaml` beside the templates says. @throws Error saying what is wrong with it */
export function parseConfig(text: string): IssueConfig {
  const value: unknown = parseYaml(text) ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error('expected a mapping of keys to values')
  const { blank_issues_enabled: blank = true, contact_links: links = [] } = value as Record<string, unknown>
  if (typeof blank !== 'boolean') throw new Error("'blank_issues_enabled' should be true or false")
  if (!Array.isArray(links)) throw new Error("'contact_links' should be a list")
  return { blank_issues_enabled: blank, contact_links: links.map(linkOf) }
}

function linkOf(link: unknown, at: number): IssueConfig['contact_links'][number] {
  const table = (typeof link === 'object' && link !== null ? link : {}) as Record<string, unknown>
  const textOf = (key: string): string => {
    const value = table[key]
    if (typeof value !== 'string' || value === '') throw new Error(`contact_links at position ${at + 1}: '${key}' is required`)
    return value
  }
  const [name, url, about] = [textOf('name'), textOf('url'), textOf('about')]
  if (!/^https?:\/\//i.test(url)) throw new Error(`contact_links at position ${at + 1}: 'url' must be an http or https URL`)
  return { name, url, about }
}
