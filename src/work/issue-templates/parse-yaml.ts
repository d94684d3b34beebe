import { isScalar, parseDocument, visit, type YAMLError, type YAMLMap } from 'yaml'

/**
 * What a text in YAML says. The library's own messages are left out: it makes one, with an excerpt, for each fault there is, and of sixty kilobytes of
 * nothing else a gigabyte; and it compares each key with all others.
 * @throws Error saying the first thing that is wrong, and in which line
 */
export function parseYaml(text: string): unknown {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error', uniqueKeys: false })
  const [error] = document.errors
  if (error) throw new Error(`${error.message} (line ${lineOf(text, error)})`)
  visit(document, { Map: (_, map) => requireUniqueKeys(map) })
  return document.toJS()
}

function lineOf(text: string, { pos }: YAMLError): number {
  return text.slice(0, pos[0]).split('\n').length
}

function requireUniqueKeys(map: YAMLMap): void {
  const keys = map.items.flatMap(({ key }) => (isScalar(key) ? [key.value] : []))
  const seen = new Set<unknown>()
  for (const key of keys) {
    if (seen.has(key)) throw new Error(`duplicate key '${key}'`)
    seen.add(key)
  }
}
