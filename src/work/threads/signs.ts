const signs: Record<string, string> = { '+1': '👍', '-1': '👎', laugh: '😄', confused: '😕', heart: '❤️', hooray: '🎉', rocket: '🚀', eyes: '👀' }

/** How a reaction looks; names that the operator added stand as they are. */
export function signOf(content: string): string {
  return Object.hasOwn(signs, content) ? (signs[content] as string) : content
}
