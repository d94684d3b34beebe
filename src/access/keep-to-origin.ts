import type { Viewer } from './viewer.ts'

interface Reply {
  viewer: Viewer
  set: { headers: Record<string, string | number> }
}

/** Prevents pages of other origins from embedding a file that needed the browser's cookie. @param isPublic whether visitors may read the file */
export function keepToOrigin({ viewer, set }: Reply, isPublic: () => boolean): void {
  const hasCookie = viewer.via === 'session' || viewer.via === 'proxy'
  if (hasCookie && !isPublic()) set.headers['Cross-Origin-Resource-Policy'] = 'same-origin'
}
