import type { LineComment } from '#work/reviews/index.ts'

/** What was said at one line in one review, oldest first: it is answered, and comes to an end, as one. */
export interface Talk {
  first: LineComment
  comments: readonly LineComment[]
}

/** Of a longer one the beginning is shown, and the rest page by page. */
export const MOST_OF_TALK = 50

/** @param comments oldest first */
export function talksIn(comments: readonly LineComment[]): Talk[] {
  const talks = Map.groupBy(comments, ({ review_id, path, line }) => `${review_id} ${line} ${path}`)
  return [...talks.values()].flatMap((said) => (said[0] === undefined ? [] : [{ first: said[0], comments: said }]))
}

/** In words. */
export function placeOf({ path, line }: Pick<LineComment, 'path' | 'line'>): string {
  if (line === 0) return path
  return line > 0 ? `${path}, line ${line}` : `${path}, old line ${-line}`
}
