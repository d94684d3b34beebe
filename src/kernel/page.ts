/** Which part of a list was asked for. `page` is 1-based. */
export interface Page {
  page: number
  limit: number
  offset: number
}

export interface PageSettings {
  defaultLimit: number
  maxLimit: number
}

/** Gitea's paging: bad or missing values fall back, larger limits are clamped, `page=0` is the first page. */
export function parsePage(query: Record<string, string | undefined>, settings: PageSettings, limitName = 'limit'): Page {
  const page = Math.max(1, wholeNumber(query.page) ?? 1)
  const asked = wholeNumber(query[limitName]) ?? 0
  const limit = Math.min(asked > 0 ? asked : settings.defaultLimit, settings.maxLimit)
  return { page, limit, offset: (page - 1) * limit }
}

/** The same where lists have pages of one size. @param page as an address has it */
export function pageOfSize(page: string | undefined, size: number): Page {
  return parsePage({ page }, { defaultLimit: size, maxLimit: size })
}

/** `X-Total-Count`, `Link` and the header that lets browsers read them, for a list answered to `url` (absolute, built on the root URL). */
export function pageHeaders(url: URL, page: Page, total: number): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / page.limit))
  const to = (number: number, rel: string) => {
    url.searchParams.set('page', String(number))
    return `<${url.href}>; rel="${rel}"`
  }
  const links = []
  if (page.page < last) links.push(to(page.page + 1, 'next'), to(last, 'last'))
  if (page.page > 1) links.push(to(1, 'first'), to(Math.min(page.page - 1, last), 'prev'))
  const headers = totalHeaders(total)
  if (links.length > 0) headers.Link = links.join(',')
  return headers
}

/** `X-Total-Count` and the header that lets browsers read it, for a list without pages. */
export function totalHeaders(total: number): Record<string, string> {
  return { 'X-Total-Count': String(total), 'Access-Control-Expose-Headers': 'Link, X-Total-Count' }
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined
}
