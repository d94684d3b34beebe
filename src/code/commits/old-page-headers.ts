/** What older clients page by; kept as Gitea does. */
export function oldPageHeaders({ page, limit }: { page: number; limit: number }, total: number): Record<string, string> {
  const pages = Math.ceil(total / limit)
  return {
    'X-Page': String(page),
    'X-PerPage': String(limit),
    'X-Total': String(total),
    'X-PageCount': String(pages),
    'X-HasMore': String(page < pages),
    'Access-Control-Expose-Headers': 'Link, X-Total-Count, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore',
  }
}
