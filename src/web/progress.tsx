/** How much of something is done, as a bar; the numbers stand beside it. */
export function Progress({ done, all, label }: { done: number; all: number; label: string }) {
  const part = all === 0 ? 0 : Math.floor((done / all) * 100)
  return (
    <svg class="progress" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label={`${label}: ${part}%`}>
      <rect width={part} height="1" />
    </svg>
  )
}
