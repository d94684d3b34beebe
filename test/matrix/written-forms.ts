import { addressOf } from './page-addresses.ts'
import { formsOf, type PageForm } from './page-fields.ts'
import { attributeOf, readPage, textIn } from './page-judge.ts'
import { makePageWorld, type PageWorld, pageRoutes } from './page-world.ts'

export interface WrittenWorld extends PageWorld {
  /** Every form of the pages that `root` is shown in which something is written. */
  forms: PageForm[]
}

export async function makeWrittenWorld(): Promise<WrittenWorld> {
  const world = await makePageWorld()
  return { ...world, forms: await writtenForms(world) }
}

/** What the fields of a page hold. */
export function heldOn(html: string): string[] {
  return readPage(html).elements.flatMap((one) => (one.tagName === 'textarea' ? textIn(one) : (attributeOf(one, 'value') ?? [])))
}

async function writtenForms(world: PageWorld): Promise<PageForm[]> {
  const found = new Map<string, PageForm>()
  for (const route of (await pageRoutes(world.forge)).filter(({ method }) => method === 'GET')) {
    const page = addressOf(world, route, 'root')
    const { text, headers, status } = await world.browsers.root.get(page)
    if (status !== 200 || !headers.get('content-type')?.startsWith('text/html')) continue
    for (const form of formsOf(page, text).filter(({ method, written }) => method === 'post' && written.length > 0))
      found.set(`${form.action} ${form.written}`, form)
  }
  return [...found.values()]
}
