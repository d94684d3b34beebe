import { list, type Setting, setting } from '#kernel/settings.ts'
import { parseHostList } from './address-policy.ts'

/** Hosts that requests may be sent to, in Gitea's form. */
export function hostList(doc: string): Setting<readonly string[]> {
  const { fallback, read } = list([], doc)
  return setting(fallback, doc, (value) => {
    const items = read(value)
    parseHostList(items)
    return items
  })
}
