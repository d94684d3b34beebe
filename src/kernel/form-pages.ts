import { pathOf } from './http.ts'
import type { RouteTable } from './route-table.ts'

/** Addresses of forms whose page is not the nearest page above the address. */
const elsewhere: readonly (readonly [action: RegExp, page: string])[] = [
  [/^(\/[^/]+\/[^/]+\/pulls\/\d+)\/(?:line|reviews|viewed)$/, '$1/files'],
  [/^(\/[^/]+)\/-\/(?:un)?follow$/, '$1'],
  [/^(\/-\/admin\/users\/\d+)\/[^/]+$/, '$1/edit'],
]

/** Returns whether a browser requests a page. */
export function isPageAsked({ method, url, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.get('accept')?.includes('text/html') === true && !pathOf(url).startsWith('/api/')
}

/** Returns the page that has the form for an address. Browsers that reload a refused form, or go back to it, request the address of the form. */
export function formPageOf(path: string, table: RouteTable): string {
  for (const [action, page] of elsewhere) if (action.test(path)) return path.replace(action, page)
  let above = path
  do above = above.slice(0, above.lastIndexOf('/'))
  while (above !== '' && table.find('GET', above) === undefined)
  return above === '' ? '/' : above
}
