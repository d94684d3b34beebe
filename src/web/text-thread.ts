import { JobThread } from '#kernel/job-thread.ts'
import { textOfPage } from './plain-text.ts'

export interface TextJob {
  html: string
}

export interface PageText {
  /** Undefined for what is no page of ours. */
  text: string | undefined
}

/** Longer pages take milliseconds: a megabyte some seventy. */
const SHORT = 65_536

const thread = new JobThread<TextJob, PageText>('convert the page to text', () => new Worker(new URL('./text-worker.ts', import.meta.url).href))

/**
 * `textOfPage` of a page of any length: the text of a long one is made on a thread of its own.
 * @param line who asks
 * @throws Unprocessable when it takes too long; Problem 503 when too many wait in the line
 */
export async function readAsText(html: string, line: string): Promise<string | undefined> {
  return html.length <= SHORT ? textOfPage(html) : (await thread.run({ html }, { line })).text
}
