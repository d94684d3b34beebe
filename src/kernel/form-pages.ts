import { pathOf } from './http.ts'
import type { RouteTable } from './route-table.ts'

/** Forms that are not on the nearest page above their address. */
const elsewhere: readonly (readonly [action: RegExp, page: string])[] = [
  [/^(\/[^/]+\/[^/]+\/pulls\/\d+)\/(?:line|reviews|viewed)$/, '$1/files'],
  [/^(\/[^/]+)\/-\/(?:un)?follow$/, '$1'],
  [/^(\/-\/admin\/users\/\d+)\/[^/]+$/, '$1/edit'],
]

/** Whether a browser asks for a page. */
export function isPageAsked({ method, url, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true && !pathOf(url).startsWith('/api/')
}

/** The page with the form that is sent to an address: browsers that reload a refused form, or come back to it, ask for that address. */
export function formPageOf(path: string, table: RouteTable): string {
  for (const [action, page] of elsewhere) if (action.test(path)) return path.replace(action, page)
  let above = path
  do above = above.slice(0, above.lastIndexOf('/'))
  while (above !== '' && table.find('GET', above) === undefined)
  return above === '' ? '/' : above
}
