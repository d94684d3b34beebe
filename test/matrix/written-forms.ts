import { addressOf } from './page-addresses.ts'
import { formsOf, type PageForm } from './page-fields.ts'
import { type PageWorld, pageRoutes } from './page-world.ts'

/** Every form of the pages that `root` is shown in which something is written. */
export async function writtenForms(world: PageWorld): Promise<PageForm[]> {
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
