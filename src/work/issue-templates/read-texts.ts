import { messageOf } from '#kernel/errors.ts'
import { parseConfig } from './parse-config.ts'
import { parseTemplate } from './parse-template.ts'
import { type IssueTemplate, usualConfig } from './schema.ts'
import type { ConfigRead, TemplatesRead } from './templates-thread.ts'

/** What all templates of a repository may come to as JSON: aliases make much of little. */
const MAX_JSON = 2 * 1024 * 1024
/** For all of them; what does not fit in counts as faulty. */
const BUDGET_MS = 1000

/** Slow on hostile texts: only threads that can be ended call this. */
export function readTemplateTexts(files: readonly { path: string; text: string }[], budget = BUDGET_MS): TemplatesRead {
  const end = performance.now() + budget
  let left = MAX_JSON
  const templates = files.flatMap(({ path, text }): IssueTemplate[] => {
    if (performance.now() > end) return []
    const read = readOne(path, text)
    if (read === undefined || read.length > left) return []
    left -= read.length
    return [JSON.parse(read)]
  })
  return { templates, faults: files.length - templates.length }
}

/** As JSON, which has no circles; undefined when something is wrong with it. */
function readOne(path: string, text: string): string | undefined {
  try {
    return JSON.stringify(parseTemplate(path, text))
  } catch {
    return undefined
  }
}

/** The same. */
export function readConfigText(text: string): ConfigRead {
  try {
    return { config: parseConfig(text), fault: '' }
  } catch (error) {
    return { config: usualConfig, fault: messageOf(error) }
  }
}
