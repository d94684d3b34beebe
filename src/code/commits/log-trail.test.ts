import { expect, test } from 'bun:test'
import { LogTrail, type PlaceInLog } from './log-trail.ts'

const place = (i: number, size = 10): PlaceInLog =>
  i === 0 ? {} : { after: String(i).padStart(40, 'a'), front: i % 3 === 0 ? undefined : `1.${'b'.repeat(size)}` }

/** Goes over the pages of a log up to one, as addresses lead; returns that one's trail. */
function walk(pages: number, size?: number): string | undefined {
  let trail: string | undefined
  for (let i = 0; i < pages; i++) trail = new LogTrail(trail, place(i, size)).onward
  return trail
}

test('the way back is the way that somebody came, to the first page', () => {
  let trail = walk(6)
  for (let i = 6; i > 0; i--) {
    const newer = new LogTrail(trail, place(i)).newer
    expect({ after: newer?.after, front: newer?.front }).toEqual({ after: place(i - 1).after, front: place(i - 1).front })
    trail = newer?.trail
  }
  expect(new LogTrail(trail, place(0)).newer).toBeUndefined()
})

test('a long way forgets where it began, and stays short', () => {
  let trail = walk(1000, 300)
  expect(trail?.length).toBeLessThan(2100)
  let steps = 0
  for (let i = 1000; ; i--) {
    const newer = new LogTrail(trail, place(i, 300)).newer
    if (newer === undefined) break
    expect(newer.after).toBe(place(i - 1).after)
    trail = newer.trail
    steps++
  }
  expect(steps).toBeGreaterThan(3)
})

test.each(['', 'x', '*', '0*', '0*a', '**', '*'.repeat(4000)])('%j is read without harm', (text) => {
  const trail = new LogTrail(text, place(3))
  expect(trail.onward.length).toBeLessThan(4100)
  expect(new LogTrail(text, {}).newer).toBeUndefined()
})
