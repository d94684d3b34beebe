import { MAX_HTML, TooMuchHtml } from './bounds.ts'
import { renderUnsafe } from './engine.ts'
import { Formulas } from './formulas.ts'
import { takeFrontMatter } from './front-matter.ts'
import type { RenderJob } from './job.ts'
import { fitOnPage } from './on-page.ts'
import { sanitise } from './sanitise.ts'

/**
 * Markdown as HTML that is safe to show. Slow on hostile texts: only threads that can be ended call this.
 * @throws TooMuch
 */
export function render(job: RenderJob): string {
  // Comments have no front matter, as on GitHub: dashes are a horizontal rule.
  const front = job.keepsLineBreaks ? undefined : takeFrontMatter(job.text)
  const formulas = new Formulas()
  const unsafe = front ? `${front.html}\n${renderUnsafe({ ...job, text: front.text }, formulas)}` : renderUnsafe(job, formulas)
  if (unsafe.length > MAX_HTML) throw new TooMuchHtml()
  const safe = sanitise(unsafe, job.place)
  return formulas.putInto(job.onPage ? fitOnPage(safe, job.rootUrl, job.onPage.within) : safe)
}
